// Package config is what a server can be told, and how it is told: by flags, by variables of the environment, and by a file.
//
// There is one list, server.go. A setting has one name: it is a flag, `--max-running`; a variable, `TIDEMARK_MAX_RUNNING`; and a key of the file, `max-running: 100`. A flag wins over the
// variable, that over the file, and that over the default (load.go).
//
// The package knows names, values and where they come from, and nothing of what they do.
package config
