package kafka

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// layout says where the columns of a table stand in a record.
type layout struct {
	key, value part
	metadata   map[int]string // column to metadata key
	told       map[int]string // column to metadata key of the value's format
}

// part is the columns in the key or the value of a record.
type part struct {
	columns []int        // of the table
	fields  types.Schema // what they are called there
}

func (p *part) add(column int, f types.Field, prefix string) {
	f.Name = strings.TrimPrefix(f.Name, prefix)
	p.columns = append(p.columns, column)
	p.fields = append(p.fields, f)
}

func newLayout(c *config, t connector.Table) (*layout, error) {
	l := &layout{metadata: map[int]string{}, told: map[int]string{}}
	keys, err := keyColumns(c, t)
	if err != nil {
		return nil, err
	}
	for _, column := range keys {
		f := t.Schema[column]
		if !strings.HasPrefix(f.Name, c.keyPrefix) {
			return nil, &connector.OptionError{Key: "key.fields-prefix", Message: fmt.Sprintf("column '%s' is in the key and does not begin with '%s'", f.Name, c.keyPrefix),
				Hint: "every column of the key has the prefix, which is not part of the name in the record"}
		}
		l.key.add(column, f, c.keyPrefix)
	}
	for i, f := range t.Schema {
		switch {
		case t.Metadata != nil && t.Metadata[i] != "":
			if key, ok := format.MetadataKey(t.Metadata[i]); ok {
				l.told[i] = key
			} else {
				l.metadata[i] = t.Metadata[i]
			}
		case c.exceptKey && slices.Contains(keys, i):
		default:
			l.value.add(i, f, "")
		}
	}
	return l, nil
}

// keyColumns are the columns in the key of a record: those of 'key.fields', or those that the table's key or distribution names.
func keyColumns(c *config, t connector.Table) ([]int, error) {
	if c.kind != kindPlain {
		return t.Keys, nil
	}
	var keys []int
	for _, name := range c.keyFields {
		i := t.Schema.Index(name)
		if i < 0 || t.Metadata != nil && t.Metadata[i] != "" {
			return nil, &connector.OptionError{Key: "key.fields", Message: fmt.Sprintf("the table has no column '%s' to put into the key", name),
				Hint: "the columns are: " + strings.Join(t.Schema.Names(), ", ")}
		}
		if slices.Contains(keys, i) {
			return nil, &connector.OptionError{Key: "key.fields", Message: fmt.Sprintf("column '%s' is named twice", name), Hint: "name it once"}
		}
		keys = append(keys, i)
	}
	return keys, nil
}

// needed tells which fields of a part a statement reads, and where they go in its batches.
func (p *part) needed(columns []int) (fields, at []int) {
	for k, column := range columns {
		if i := slices.Index(p.columns, column); i >= 0 {
			fields = append(fields, i)
			at = append(at, k)
		}
	}
	return fields, at
}
