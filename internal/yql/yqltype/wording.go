package yqltype

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Wording is how messages about values that a column of t does not take speak of it.
func (t Type) Wording() types.Wording { return wording{t.Required()} }

type wording struct{ of Type }

func (w wording) String() string { return w.of.String() }

func (w wording) Part(i int) types.Wording {
	if w.of.inside == nil || i >= len(w.of.inside.types) {
		return nil
	}
	return w.of.inside.types[i].Wording()
}

// Advice implements types.Wording.
func (w wording) Advice(column string, found types.Found) string {
	t := w.of
	number := found.Kind == types.FoundInteger || found.Kind == types.FoundFraction
	switch {
	case found.Kind == types.FoundNothing:
		return "declare it Optional<" + t.String() + ">, without NOT NULL"
	case found.Kind == types.FoundObject, found.Kind == types.FoundList:
		return "declare it Json, or with the type of what is there"
	case t.IsContainer() && t.Kind == List:
		return "send a list in brackets"
	case t.IsContainer():
		return "send an object in braces"
	case found.Kind == types.FoundBoolean:
		return "declare it Bool"
	case t.IsText() && number:
		return "send it in quotes, or declare it " + numberFor(found)
	case t.IsText():
		return ""
	case t.IsInstant() && number:
		return "declare it Uint64, and write DateTime::FromMilliseconds(" + named(column) + "), or FromSeconds, or FromMicroseconds"
	case t.Kind == Date:
		return "send it as 1970-01-01, or declare it String and write DateTime::MakeDate(DateTime::ParseIso8601(" + named(column) + "))"
	case t.IsInstant():
		return "send it as 1970-01-01T00:00:00Z, or declare it String and write DateTime::Make" + t.Kind.String() + "(DateTime::ParseIso8601(" + named(column) + "))"
	case t.Kind == Decimal && number:
		return "declare it Decimal with more digits in front of the point"
	case number && t.IsNumber():
		return t.wider(found)
	}
	return "declare it String, and CAST it"
}

func numberFor(found types.Found) string {
	if found.Kind == types.FoundFraction {
		return "Double"
	}
	return "Int64"
}

// wider says which type takes a number that t does not.
func (t Type) wider(found types.Found) string {
	switch {
	case found.Kind == types.FoundFraction, t.IsApproximate():
		return "declare it Double"
	case t.Kind == Int64, t.Kind == Uint64 && !strings.HasPrefix(found.Text, "-"):
		return "declare it Double, or String and send it in quotes"
	}
	return "declare it Int64"
}

// named is a column in an expression, or a gap for the name of one.
func named(column string) string {
	if quoteMember(column) == column {
		return column
	}
	return "…"
}
