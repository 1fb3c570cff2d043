package pattern

import (
	"strconv"
	"strings"
)

// Unbounded is a Max without end.
const Unbounded = -1

// MaxVariables is how many variables a pattern may have, so that what a row can be is a word of bits.
const MaxVariables = 64

// MaxTimes bounds Min and Max, since each repetition is a state.
const MaxTimes = 1000

// Term is a variable with how often it may stand in a row.
type Term struct {
	Name     string
	Min, Max int
	// Reluctant makes the variable behind it begin as soon as it can.
	Reluctant bool
}

// Greedy reports whether the variable behind t waits until no row can be one more of t.
func (t Term) Greedy() bool {
	return !t.Reluctant && t.Min != t.Max && (t.Min != 0 || t.Max != 1)
}

// String is t in SQL.
func (t Term) String() string {
	text := t.Name
	switch {
	case t.Min == 1 && t.Max == 1:
		return text
	case t.Min == 0 && t.Max == Unbounded:
		text += "*"
	case t.Min == 1 && t.Max == Unbounded:
		text += "+"
	case t.Min == 0 && t.Max == 1:
		text += "?"
	case t.Min == t.Max:
		text += "{" + strconv.Itoa(t.Min) + "}"
	case t.Max == Unbounded:
		text += "{" + strconv.Itoa(t.Min) + ",}"
	default:
		text += "{" + strconv.Itoa(t.Min) + "," + strconv.Itoa(t.Max) + "}"
	}
	if t.Reluctant {
		text += "?"
	}
	return text
}

// Pattern is variables one behind the other. Each has its own name; some has a Min above zero; the last is not greedy; none of Min zero stands behind a greedy one.
type Pattern []Term

// String is p in SQL, without parentheses.
func (p Pattern) String() string {
	terms := make([]string, len(p))
	for i, t := range p {
		terms[i] = t.String()
	}
	return strings.Join(terms, " ")
}

// SkipTo says where the search goes on behind a match.
type SkipTo uint8

// The places where the search goes on.
const (
	NextRow     SkipTo = iota // behind the first row of the match
	PastLastRow               // behind its last row
	FirstOf                   // at the first row of a variable
	LastOf                    // at the last row of a variable
)

// Skip is a SkipTo with its variable.
type Skip struct {
	To       SkipTo
	Variable int
}
