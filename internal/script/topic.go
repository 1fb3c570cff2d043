package script

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// topics are the tables that are there without CREATE TABLE, by name, each with how many splits it has. They stand for topics of Kafka whose records have
// no schema, and have their columns.
type topics map[string]int

// inferred are the topics, nil in a script that makes none.
func (r *rig) inferred() connector.Inferred {
	if slices.ContainsFunc(r.file.Blocks, func(b Block) bool { return b.Verb == Topic }) {
		return r.topics
	}
	return nil
}

// topic makes a topic.
func (r *rig) topic(b *Block) error {
	if _, there := r.topics[b.Table]; there {
		return r.errorf(b.Line, "there is a topic '%s' already", b.Table)
	}
	r.topics[b.Table] = b.Splits
	return nil
}

// Names implements connector.Inferred.
func (t topics) Names() ([]string, error) { return slices.Sorted(maps.Keys(t)), nil }

// Describe implements connector.Inferred.
func (t topics) Describe(names []string) (tables []connector.InferredTable, err error) {
	for _, name := range names {
		splits, there := t[name]
		if !there {
			continue
		}
		tables = append(tables, connector.InferredTable{
			Table: connector.Table{
				Name:    name,
				Schema:  types.Schema{{Name: "key", Type: types.BytesType}, {Name: "val", Type: types.BytesType}},
				Keys:    []int{0},
				Buckets: splits,
			},
			Options: connector.Options{"connector": connectorName, "bounded": "false", "splits": strconv.Itoa(splits)},
		})
	}
	return tables, nil
}
