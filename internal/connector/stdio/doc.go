// Package stdio has the connectors 'stdin' and 'stdout': a table that is what another program writes to this one, and a table that another program
// reads. They make Tidemark a part of a pipe.
//
// Standard input is one split, which ends when the input does; it can be read once. Start at options.go; feed.go is what lets a statement go on while
// nothing comes.
package stdio
