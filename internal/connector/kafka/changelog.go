package kafka

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// changelog is how changes stand in a topic.
type changelog uint8

const (
	// appendOnly topics hold rows that are added. Tombstones in them are passed over.
	appendOnly changelog = iota
	// upserts replace the row of their key; a null value deletes it.
	upserts
	// retractions stand by themselves; a header tells a change that is no insert.
	retractions
)

// yields is what rows that are read from such a topic stand for.
func (c changelog) yields() connector.Changelog {
	return [...]connector.Changelog{appendOnly: connector.Append, upserts: connector.Upsert, retractions: connector.Retract}[c]
}

// takes is which changes can be written to such a topic. What an upsert takes the place of is left out there, so it takes all.
func (c changelog) takes() connector.Changelog {
	if c == appendOnly {
		return connector.Append
	}
	return connector.Retract
}

// formatChangelog is that of a table whose changes are told by the format of its values, if by anything.
func formatChangelog(_ connector.Table, o connector.Options) connector.Changelog {
	return max(format.Changelog(o, ""), format.Changelog(o, "value."))
}

// opHeader is the header of retractions. Its value is one byte, the number of the vector.Op, which are in the order that Confluent gives them;
// an insert has no such header.
const opHeader = "op"

// opOf reads the change that a record's headers tell.
func opOf(headers []byte, count int) (vector.Op, bool) {
	w := walk{rest: headers}
	for range count {
		key, value, ok := w.header()
		if !ok {
			return 0, false
		}
		if string(key) != opHeader {
			continue
		}
		if len(value) != 1 || value[0] > byte(vector.Delete) {
			return 0, false
		}
		return vector.Op(value[0]), true
	}
	return vector.Insert, true
}
