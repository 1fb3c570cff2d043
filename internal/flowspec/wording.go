package flowspec

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// wording is how a spec speaks of a type, as it was written there.
type wording struct {
	of   types.Type
	name string
	// v3 says that it was written as type_v3, in which what may be null is optional.
	v3 bool
	// part is the first of its parts, and next the one behind it in what it is a part of, wordings or nil: there is no slice, as schemas are compared.
	part, next types.Wording
}

func (w wording) String() string { return w.name }

func (w wording) Part(i int) types.Wording {
	p := w.part
	for ; i > 0 && p != nil; i-- {
		p = p.(wording).next
	}
	return p
}

// Advice implements types.Wording.
func (w wording) Advice(_ string, found types.Found) string {
	number := found.Kind == types.FoundInteger || found.Kind == types.FoundFraction
	switch {
	case found.Kind == types.FoundNothing && w.v3:
		return "declare it {type_name: optional, item: " + w.name + "}"
	case found.Kind == types.FoundNothing:
		return "leave 'required' out"
	case found.Kind == types.FoundObject, found.Kind == types.FoundList:
		return "declare it any, or with the type of what is there"
	case w.of.Kind == types.Array:
		return "send a list in brackets"
	case w.of.Kind == types.Map, w.of.Kind == types.Row:
		return "send an object in braces"
	case found.Kind == types.FoundBoolean:
		return "declare it boolean"
	case w.of.IsText() && number:
		return "send it in quotes, or declare it " + numberFor(found)
	case w.of.IsText():
		return ""
	case number && w.of.IsTime():
		return "declare it uint64"
	case number && w.of.Kind == types.Double:
		return "declare it string, and send it in quotes"
	case number && w.of.Kind == types.Float, found.Kind == types.FoundInteger && w.of.Kind == types.BigInt:
		return "declare it double"
	case number:
		return "declare it " + numberFor(found)
	}
	return "declare it string, and CAST it in a query"
}

func numberFor(found types.Found) string {
	if found.Kind == types.FoundFraction {
		return "double"
	}
	return "int64"
}

// nested is the wording of a type with parts.
func nested(t types.Type, name string, parts ...wording) wording {
	w := wording{of: t, v3: true}
	names := make([]string, len(parts))
	for i, p := range slices.Backward(parts) {
		names[i] = p.name
		p.next = w.part
		w.part = p
	}
	w.name = name + "<" + strings.Join(names, ", ") + ">"
	return w
}
