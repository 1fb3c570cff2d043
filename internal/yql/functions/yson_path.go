package functions

import (
	"bytes"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/ysontext"
)

// atPath is the node at a path: keys, numbers of items, and @ for attributes, each behind a slash; nil if there is none. A backslash takes the meaning of the next sign.
func atPath(node, path []byte) []byte {
	for len(path) > 0 {
		if path[0] != '/' {
			return nil
		}
		var step []byte
		step, path = nextStep(path[1:])
		if node = stepInto(node, step); node == nil {
			return nil
		}
	}
	return node
}

// nextStep parts a path at its next slash.
func nextStep(path []byte) (step, rest []byte) {
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '/':
			return step, path[i:]
		case '\\':
			if i+1 < len(path) {
				i++
			}
		}
		step = append(step, path[i])
	}
	return step, nil
}

func stepInto(node, step []byte) []byte {
	if name, ok := bytes.CutPrefix(step, []byte{'@'}); ok {
		attributes, _ := ysontext.Split(node)
		switch {
		case attributes == nil:
			return nil
		case len(name) == 0:
			return append(append([]byte{'{'}, attributes[1:len(attributes)-1]...), '}')
		}
		return ysontext.Lookup(attributes, name)
	}
	switch ysontext.KindOf(node) {
	case ysontext.Map:
		return ysontext.Lookup(ysontext.Bytes(node), step)
	case ysontext.List:
		if i, err := strconv.Atoi(string(step)); err == nil {
			return ysontext.At(ysontext.Bytes(node), i)
		}
	}
	return nil
}
