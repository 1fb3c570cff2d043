package jsonpath

import (
	"errors"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
)

// One follows a definite path from value and gives the value it leads to, a part of it, or false if it leads nowhere. Filters look at root for $.
func (p *Path) One(root, value []byte) ([]byte, bool) {
	for i := range p.steps {
		if value = p.steps[i].one(value); value == nil {
			return nil, false
		}
	}
	if p.length {
		return length(value)
	}
	return value, true
}

// one is the value that a definite step leads to, or nil.
func (s *step) one(value []byte) []byte {
	switch {
	case s.kind == stepMember && value[0] == '{':
		return jsontext.Member(value, s.name)
	case s.kind == stepIndex && value[0] == '[':
		return element(value, s.indexes[0])
	}
	return nil
}

// element is element number n, from the end if n is negative, or nil.
func element(array []byte, n int) []byte {
	if n < 0 {
		if n += count(array); n < 0 {
			return nil
		}
	}
	var found []byte
	jsontext.Elements(array, func(v []byte) bool {
		if n == 0 {
			found = v
		}
		n--
		return n >= 0
	})
	return found
}

func count(array []byte) int {
	n := 0
	jsontext.Elements(array, func([]byte) bool { n++; return true })
	return n
}

// length is that of an array or an object.
func length(value []byte) ([]byte, bool) {
	n := 0
	switch jsontext.KindOf(value) {
	case jsontext.Array:
		n = count(value)
	case jsontext.Object:
		eachMember(value, func([]byte) { n++ })
	default:
		return nil, false
	}
	return strconv.AppendInt(nil, int64(n), 10), true
}

// ErrTooMuch is what stops a path whose branches lead to the same values again and again, as $..*..* does.
var ErrTooMuch = errors.New("the path branches so often that it leads to more than can be looked at; .. is in it too often")

// allowance is how many bytes of values a path may look at in a document of n bytes: every value a few times, however deep it is, and more in a small document.
func allowance(n int) int { return 16<<20 + 64*n }

// All calls each with every value that the path leads to, in order. It returns false if a value on the way is missing or of the wrong kind before the
// path has branched; then each was not called. The error is ErrTooMuch, with the first values told; then the path has branched.
func (p *Path) All(root []byte, each func(value []byte)) (bool, error) {
	e := evaluation{root: root, each: each, left: allowance(len(root))}
	found := e.follow(p.steps, root, false)
	if e.left < 0 {
		return found, ErrTooMuch
	}
	return found, nil
}

type evaluation struct {
	root []byte
	each func(value []byte)
	left int // of the allowance
}

// perLook is what it costs to look at the shortest value, in bytes.
const perLook = 16

// look takes value from the allowance, and reports false if there is not so much.
func (e *evaluation) look(value []byte) bool {
	if e.left >= 0 {
		e.left -= perLook + len(value)
	}
	return e.left >= 0
}

// follow takes the steps from value. Behind a branch (branched) what is missing is left out.
func (e *evaluation) follow(steps []step, value []byte, branched bool) bool {
	for len(steps) > 0 && (steps[0].kind == stepMember || steps[0].kind == stepIndex) {
		if value = steps[0].one(value); value == nil {
			return branched
		}
		steps = steps[1:]
	}
	if len(steps) == 0 {
		e.each(value)
		return true
	}
	s, rest := &steps[0], steps[1:]
	next := func(v []byte) {
		if e.look(v) {
			e.follow(rest, v, true)
		}
	}
	switch s.kind {
	case stepDeep:
		e.deep(rest, value)
	case stepAll:
		if value[0] == '[' {
			jsontext.Elements(value, func(v []byte) bool { next(v); return e.left >= 0 })
		} else if value[0] == '{' {
			eachMember(value, next)
		}
	case stepFilter:
		return e.filter(s, value, next) || branched
	default:
		if value[0] != '[' {
			return branched
		}
		e.pick(s, value, next)
	}
	return true
}

// filter applies a condition to the elements of an array, or to an object itself.
func (e *evaluation) filter(s *step, value []byte, next func([]byte)) bool {
	take := func(v []byte) bool {
		if s.filter.holds(e.root, v) {
			next(v)
		}
		return e.left >= 0
	}
	switch value[0] {
	case '[':
		jsontext.Elements(value, take)
	case '{':
		take(value)
	default:
		return false
	}
	return true
}

// pick takes elements by their numbers, in the order asked for, or a slice.
func (e *evaluation) pick(s *step, array []byte, next func([]byte)) {
	if s.kind == stepIndexes {
		for _, n := range s.indexes {
			if v := element(array, n); v != nil {
				next(v)
			}
		}
		return
	}
	n := count(array)
	from, to := fromEnd(s.from, n), n
	if !s.open {
		to = fromEnd(s.to, n)
	}
	i := 0
	jsontext.Elements(array, func(v []byte) bool {
		if i >= from && i < to {
			next(v)
		}
		i++
		return i < to
	})
}

func fromEnd(i, n int) int {
	if i < 0 {
		return max(i+n, 0)
	}
	return i
}

// deep takes the steps from value and from all that is inside, the outer before the inner.
func (e *evaluation) deep(steps []step, value []byte) {
	if jsontext.IsScalar(value) || !e.look(value) {
		return
	}
	e.follow(steps, value, true)
	if value[0] == '[' {
		jsontext.Elements(value, func(v []byte) bool { e.deep(steps, v); return e.left >= 0 })
	} else {
		eachMember(value, func(v []byte) { e.deep(steps, v) })
	}
}

// eachMember calls each with the values of an object; of equal keys with the last, at the place of the first.
func eachMember(object []byte, each func(value []byte)) {
	type entry struct{ name, value []byte }
	var few [16]entry
	entries := few[:0]
	var byName map[string]int
	jsontext.Members(object, func(key, value []byte) {
		name := key[1 : len(key)-1]
		if !jsontext.IsKey(key, name) {
			name = jsontext.AppendUnquoted(nil, key)
		}
		if len(entries) >= len(few) && byName == nil {
			byName = map[string]int{}
			for i, e := range entries {
				byName[string(e.name)] = i
			}
		}
		if byName != nil {
			if i, ok := byName[string(name)]; ok {
				entries[i].value = value
				return
			}
			byName[string(name)] = len(entries)
		} else {
			for i := range entries {
				if string(entries[i].name) == string(name) {
					entries[i].value = value
					return
				}
			}
		}
		entries = append(entries, entry{name, value})
	})
	for _, e := range entries {
		each(e.value)
	}
}
