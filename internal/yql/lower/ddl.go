package lower

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Table makes the table of CREATE TABLE, which is managed; it does not add it to the session.
func (l *Lowerer) Table(c *yql.CreateTable) (*catalog.Table, error) {
	if len(c.PrimaryKey) == 0 {
		return nil, l.errorf(source.CodeKey, c.Name.Span(), "add PRIMARY KEY (…); a stream of messages is CREATE TOPIC", "table '%s' has no PRIMARY KEY", c.Name.Text())
	}
	var parts []string
	for i := range c.Columns {
		col := &c.Columns[i]
		if col.Default != nil {
			return nil, l.unsupported(col.Default.Span(), "write it in the query", "DEFAULT is")
		}
		t, err := l.typeOf(col.Type)
		if err != nil {
			return nil, err
		}
		if t.Kind == yqltype.Null || t.Kind > yqltype.Tuple {
			return nil, l.errorf(source.CodeType, col.Type.Span(), "choose another type", "a column cannot be %s", t)
		}
		text := catalog.Quote(col.Name.Name) + " " + t.Required().Physical().Nullable().String()
		if col.NotNull {
			text += " NOT NULL"
		}
		parts = append(parts, text)
	}
	var keys []string
	for _, k := range c.PrimaryKey {
		keys = append(keys, catalog.Quote(k.Name))
	}
	parts = append(parts, "PRIMARY KEY ("+strings.Join(keys, ", ")+") NOT ENFORCED")
	for _, s := range c.Settings {
		l.note(s.Span(), "%s says nothing here: the table is a topic of its last rows", strings.ToUpper(s.Key.Name))
	}
	return l.declared(c.Name, "("+strings.Join(parts, ", ")+")")
}

// Topic makes the managed table of CREATE TOPIC, whose only column is the message; it does not add it to the session.
func (l *Lowerer) Topic(c *yql.CreateTopic) (*catalog.Table, error) {
	buckets := ""
	for i := range c.Settings {
		s := &c.Settings[i]
		switch key := strings.ToLower(s.Key.Name); key {
		case "min_active_partitions":
			n, err := l.number(s.Value, key)
			if err != nil {
				return nil, err
			}
			if n < 1 {
				return nil, l.errorf(source.CodeOption, s.Value.Span(), "write 1 or more", "%s is %d", key, n)
			}
			buckets = fmt.Sprintf(" DISTRIBUTED INTO %d BUCKETS", n)
		case "partition_count_limit", "max_active_partitions", "retention_period", "retention_storage_mb", "supported_codecs", "partition_write_speed_bytes_per_second",
			"partition_write_burst_bytes", "metering_mode", "auto_partitioning_strategy":
			l.note(s.Span(), "%s says nothing here", key)
		default:
			return nil, l.errorf(source.CodeOption, s.Key.Span(), didYouMean(key, []string{"min_active_partitions", "retention_period"}, "write min_active_partitions = 4"), "a topic has no setting %s", key)
		}
	}
	for i := range c.Consumers {
		l.note(c.Consumers[i].Span(), "consumer %s says nothing here: where a query is in a topic is in its checkpoints", c.Consumers[i].Name.Name)
	}
	return l.declared(c.Name, "("+catalog.Quote(rawColumn)+" STRING)"+buckets+" WITH ('value.format' = 'raw')")
}

// declared is the table of a declaration behind CREATE TABLE and its name.
func (l *Lowerer) declared(n yql.Name, declaration string) (*catalog.Table, error) {
	path, err := l.path(n)
	if err != nil {
		return nil, err
	}
	text := source.Text{Name: "table '" + n.Text() + "'", Body: "CREATE TABLE " + path.String() + " " + declaration}
	t, err := l.tables.Declared(text)
	if e, ok := errors.AsType[*source.Error](err); ok {
		return nil, l.errorf(e.Code, n.Span(), e.Hint, "%s", e.Message)
	}
	return t, err
}
