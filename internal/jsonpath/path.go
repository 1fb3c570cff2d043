package jsonpath

import "fmt"

// Path is a compiled path. It is safe for concurrent use.
type Path struct {
	// Lax says that what is missing or of the wrong kind is no error.
	Lax   bool
	steps []step
	// length asks for the length of the value that steps lead to.
	length bool
}

// Definite reports whether the path leads to one value at most; others lead to a list.
func (p *Path) Definite() bool {
	for _, s := range p.steps {
		if s.kind != stepMember && s.kind != stepIndex {
			return false
		}
	}
	return true
}

type stepKind uint8

const (
	stepMember  stepKind = iota // .name ['name']
	stepIndex                   // [n], from the end if negative
	stepIndexes                 // [n, m]
	stepSlice                   // [from:to]
	stepAll                     // .* [*]
	stepFilter                  // [?(…)]
	stepDeep                    // ..: the next step applies to the value and all that is inside, at any depth
)

type step struct {
	kind    stepKind
	name    []byte
	indexes []int // the index, or several
	from    int   // of a slice; negative counts from the end
	to      int
	open    bool // a slice without an end
	filter  condition
}

// Error says why a path cannot be compiled.
type Error struct {
	Path string
	// At is where in Path, in bytes.
	At     int
	Reason string
	// Unsupported tells that Flink knows such a path.
	Unsupported bool
}

// Error names reason and place; characters are counted from 1.
func (e *Error) Error() string {
	at := len([]rune(e.Path[:e.At])) + 1
	if e.Unsupported {
		return fmt.Sprintf("%s in JSON paths are not supported: character %d of '%.80s'", e.Reason, at, e.Path)
	}
	return fmt.Sprintf("'%.80s' is no JSON path: %s at character %d", e.Path, e.Reason, at)
}
