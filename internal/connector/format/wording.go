package format

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// written is the type of c as messages name it, without whether NULL is one of its values.
func (c *column) written() string {
	if c.Wording != nil {
		return c.Wording.String()
	}
	return c.Type.Nullable().String()
}

// refusesNull is the message about a NULL in c.
func (c *column) refusesNull(null string) string {
	if c.Wording != nil {
		return null + " in a column of type " + c.Wording.String()
	}
	return null + " in a column of type " + c.Type.String()
}

// advised is what the wording of c says to do about a value, or otherwise, what is said in SQL.
func (c *column) advised(kind types.FoundKind, text []byte, otherwise string) string {
	if c.Wording != nil {
		return c.Wording.Advice(c.Name, types.Found{Kind: kind, Text: clip(text)})
	}
	return otherwise
}

// foundJSON says what a value of JSON is.
func foundJSON(text []byte) types.FoundKind {
	switch {
	case len(text) == 0:
		return types.FoundNothing
	case text[0] == '"':
		return types.FoundText
	case text[0] == '{':
		return types.FoundObject
	case text[0] == '[':
		return types.FoundList
	case text[0] == 't', text[0] == 'f':
		return types.FoundBoolean
	case bytes.ContainsAny(text, ".eE"):
		return types.FoundFraction
	}
	return types.FoundInteger
}
