// Package server shows the statements of a hub to clients over HTTP. It decides nothing about a statement; what goes over the wire is in package api.
//
// Open server.go first (the list of routes, and what every request goes through), then a file for each noun.
package server
