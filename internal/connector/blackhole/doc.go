// Package blackhole is the connector of tables that take every row and keep none, for measuring what comes before them.
package blackhole
