package lower

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// rawColumn is the column of a topic that is read as it is. YDB: Data.
const rawColumn = "Data"

// table reads a table of the session, or a topic that nobody has declared, as WITH says.
func (l *Lowerer) table(t *catalog.Table, declared bool, r *yql.TableName) (*relation, error) {
	o, err := l.options(r)
	if err != nil {
		return nil, err
	}
	read := *t
	of := &read
	columns := slices.Clone(t.Columns)
	switch {
	case o.schema != nil || o.format != "":
		if columns, err = l.schema(o, r); err != nil {
			return nil, err
		}
	case !declared || isTopic(t):
		o.format, columns = "raw", o.raw()
	}
	if columns, err = l.systemColumns(t, columns); err != nil {
		return nil, err
	}
	relaid := o.format != ""
	w := t.Watermark
	if relaid || w != nil && w.Default && l.streaming != nil {
		w = nil // one that nobody has declared is about the time of writing, as is that of a topic without WATERMARK
	}
	time := &eventTime{}
	if w != nil {
		time.text, time.column = w.Text, w.Column
	}
	if o.watermark == nil && w == nil && l.streaming != nil {
		o.watermark, o.implied = l.impliedWatermark(columns, r)
	}
	if o.watermark != nil {
		if columns, w, time, err = l.watermark(o, columns); err != nil {
			return nil, err
		}
	}
	if since := l.since(); w != nil && since != 0 && !t.HandsOver() {
		w = writtenSince(w, columns, since)
	}
	if relaid {
		if of, err = l.tables.Under(t, bind.Layout{Format: o.format, Options: o.formatOptions(columns), Columns: columns, Watermark: w, At: catalog.Place{Text: l.text, Span: r.Span()}}); err != nil {
			return nil, err
		}
	} else {
		of.Columns, of.Watermark = columns, w
	}
	of.Options = maps.Clone(of.Options)
	if o.skip {
		of.Options[connector.OptionErrors] = "ignore"
	}
	if l.streaming != nil {
		l.begin(t, of)
	}
	rows, err := l.scan(of, o, time, r.Name.Span())
	if since := l.since(); err == nil && since != 0 {
		rows = rows.since(since)
	}
	return rows, err
}

// since is the instant at which the first messages that are read were written, 0 for all.
func (l *Lowerer) since() int64 {
	if l.streaming == nil {
		return 0
	}
	return l.streaming.Since
}

// writtenSince is a watermark that is about no messages written before an instant.
func writtenSince(w *catalog.Watermark, columns []catalog.Column, instant int64) *catalog.Watermark {
	at := indexOf(columns, writeTime)
	if at < 0 {
		return w
	}
	of := *w
	of.Of = mustCall(">=", newColumn(at, writeTime, columns[at].Type), expr.LiteralInt(columns[at].Type, instant))
	return &of
}

// since leaves out messages that were written before an instant, where their topic tells: reading begins with the first that is as late, or at the end if there is none yet.
func (r *relation) since(instant int64) *relation {
	at := slices.IndexFunc(r.node.Columns(), func(c plan.Column) bool { return c.Name == writeTime })
	if at < 0 {
		return r
	}
	out := *r
	out.node = &plan.Filter{Input: r.node, Condition: notBefore(r.node, at, instant), Tells: "written before the time to read from"}
	return &out
}

// begin gives what is read of a topic the options that say where reading begins. Those that nobody has asked for say nothing of a topic that says something itself.
func (l *Lowerer) begin(t, of *catalog.Table) {
	for key := range l.streaming.Start {
		if _, says := t.Options[key]; says && !l.streaming.StartAsked {
			return
		}
	}
	for key, value := range l.streaming.Start {
		if l.tables.Takes(t, key) {
			of.Options[key] = value
		}
	}
}

// begins reports whether a table takes an option that says where reading begins.
func (l *Lowerer) begins(t *catalog.Table) bool {
	for key := range l.streaming.Start {
		if l.tables.Takes(t, key) {
			return true
		}
	}
	return false
}

// scan reads a table that has the columns which the query reads.
func (l *Lowerer) scan(t *catalog.Table, o *topicOptions, time *eventTime, at source.Span) (*relation, error) {
	n, err := l.tables.Scan(t, l.levels(t, o), at)
	if err != nil {
		return nil, err
	}
	r := &relation{node: n, stream: streams(n)}
	for i, c := range n.Columns() {
		if err := r.given(l, i, c, at); err != nil {
			return nil, err
		}
		r.known(i, o.types)
		if c.Name == eventTimeColumn {
			r.columns[i].kind = carriedColumn
		}
	}
	if t.Watermark != nil {
		r.time = time
	}
	l.topics = append(l.topics, t)
	l.reads = true
	return r, nil
}

// isTopic reports whether a table is what CREATE TOPIC makes: one column, the message as it is.
func isTopic(t *catalog.Table) bool {
	return t.Index(rawColumn) == 0 && isRaw(t) &&
		!slices.ContainsFunc(t.Columns[1:], func(c catalog.Column) bool { return !c.Hidden })
}

// takesMessages reports whether what is written to a table are messages as they are: its one column is that, whatever its name.
func takesMessages(t *catalog.Table) bool {
	_, written := t.Written()
	return len(written) == 1 && isRaw(t)
}

func isRaw(t *catalog.Table) bool {
	return t.Options["value.format"] == "raw" || t.Options["format"] == "raw"
}

// raw is the column of a message as it is.
func (o *topicOptions) raw() []catalog.Column {
	o.types = []yqltype.Type{yqltype.Of(yqltype.String)}
	return []catalog.Column{{Name: rawColumn, Type: o.types[0].Physical(), Wording: o.types[0].Wording()}}
}

// known gives column i the type that the text says it has, if it says one: several types are held alike.
func (r *relation) known(i int, types []yqltype.Type) {
	if i < len(types) && !r.rowtime(i) {
		r.columns[i].typ = types[i]
		r.values[i] = functions.Value{Expr: newColumn(i, r.columns[i].name, types[i].Physical()), Type: types[i]}
	}
}

// schema are the columns that WITH gives the messages of a topic.
func (l *Lowerer) schema(o *topicOptions, r *yql.TableName) ([]catalog.Column, error) {
	if o.format == "" {
		return nil, l.errorf(source.CodeOption, o.schemaAt, "add FORMAT = json_each_row, or another one: "+strings.Join(yql.Formats, ", "), "SCHEMA needs a FORMAT")
	}
	if o.schema == nil {
		switch o.format {
		case "raw":
			return o.raw(), nil
		default:
			return nil, l.errorf(source.CodeOption, o.formatAt, "add SCHEMA = (a Int64, b String NOT NULL)", "FORMAT = %s needs a SCHEMA", o.format)
		}
	}
	if n := len(o.schema); n != 1 && (o.format == "raw" || o.format == "json_as_string") {
		return nil, l.errorf(source.CodeOption, o.schemaAt, "declare one column, such as Data String", "FORMAT = %s has exactly one column, and SCHEMA has %d", o.format, n)
	}
	var columns []catalog.Column
	named := make(map[string]bool, len(o.schema))
	for _, c := range o.schema {
		if strings.HasPrefix(c.name.Name, systemPrefix) {
			return nil, l.errorf(source.CodeOption, c.name.Span(), "leave it out: it is there without", "'%s' is a system column", c.name.Name)
		}
		if named[c.name.Name] {
			return nil, l.errorf(source.CodeDuplicate, c.name.Span(), "rename one of them", "column '%s' is there twice", c.name.Name)
		}
		named[c.name.Name] = true
		if err := l.readable(o.format, c); err != nil {
			return nil, err
		}
		if o.format == "raw" || o.format == "json_as_string" {
			c.typ = c.typ.Required() // a message is never NULL
		}
		o.types = append(o.types, c.typ)
		columns = append(columns, catalog.Column{Name: c.name.Name, Type: c.typ.Physical(), Wording: c.typ.Wording()})
	}
	return columns, nil
}

// readable refuses a type that a format cannot hold. Dates and times, which YDB's manual does not have here, are read as its tests do.
func (l *Lowerer) readable(format string, c schemaColumn) error {
	t := c.typ
	hint := "read it as a String, and CAST it"
	switch t.Kind {
	case yqltype.Null, yqltype.Yson, yqltype.Node, yqltype.Moment, yqltype.EmptyList, yqltype.EmptyDict, yqltype.Interval:
	case yqltype.Json:
		if format == "json_each_row" || format == "json_list" || format == "json_as_string" || format == "raw" {
			return nil
		}
	case yqltype.String, yqltype.Utf8:
		return nil
	default:
		if format != "raw" && format != "json_as_string" && (!t.IsContainer() || strings.HasPrefix(format, "json")) {
			return nil
		}
		if format == "raw" || format == "json_as_string" {
			hint = "it is String, Utf8 or Json"
		}
	}
	return l.errorf(source.CodeType, c.at, hint, "column '%s' of FORMAT = %s cannot be %s", c.name.Name, format, t)
}

// The system columns of a topic.
const (
	systemPrefix = "__ydb_"
	writeTime    = "__ydb_write_time"
)

// known is something that a topic knows of a message.
type known struct {
	name string
	typ  yqltype.Kind
	find func(m connector.MetadataColumn) bool
}

// knowledge are the system columns. Those that a connector does not tell are NULL where it tells when a message was written.
var knowledge = []known{
	{writeTime, yqltype.Timestamp, func(m connector.MetadataColumn) bool { return m.Timestamp }},
	{"__ydb_create_time", yqltype.Timestamp, func(m connector.MetadataColumn) bool { return m.Created }},
	{"__ydb_offset", yqltype.Uint64, func(m connector.MetadataColumn) bool { return m.Position }},
	{"__ydb_partition_id", yqltype.Uint64, func(m connector.MetadataColumn) bool { return m.Split }},
	{"__ydb_seq_no", yqltype.Uint64, func(m connector.MetadataColumn) bool { return m.Sequence }},
	{"__ydb_message_group_id", yqltype.String, func(m connector.MetadataColumn) bool { return m.Producer }},
}

// systemColumns adds what the connector of t knows of a message.
func (l *Lowerer) systemColumns(t *catalog.Table, columns []catalog.Column) ([]catalog.Column, error) {
	metadata, err := l.tables.MetadataOf(t)
	if err != nil {
		return nil, err
	}
	for _, k := range knowledge {
		i := slices.IndexFunc(metadata, k.find)
		if slices.ContainsFunc(columns, func(c catalog.Column) bool { return c.Name == k.name }) {
			continue
		}
		if i < 0 {
			if slices.ContainsFunc(metadata, func(m connector.MetadataColumn) bool { return m.Timestamp }) {
				null := functions.Null(yqltype.Of(k.typ))
				columns = append(columns, catalog.Column{Name: k.name, Type: null.Expr.Type(), Computed: null.Expr, Hidden: true})
			}
			continue
		}
		m := metadata[i]
		if slices.ContainsFunc(columns, func(c catalog.Column) bool { return c.Metadata != nil && c.Metadata.Key == m.Key && c.Computed == nil }) {
			// A column shows it already, and connectors tell each thing once: this one is computed of that.
			c, err := l.shown(columns, m, k)
			if err != nil {
				return nil, err
			}
			columns = append(columns, c)
			continue
		}
		typ := yqltype.Of(k.typ).Physical()
		typ.NotNull = m.Type.NotNull
		columns = append(columns, catalog.Column{Name: k.name, Type: typ, Metadata: &catalog.Metadata{Key: m.Key, Type: m.Type, Virtual: true}, Hidden: true})
	}
	return columns, nil
}

// shown is a system column that another column of the table has.
func (l *Lowerer) shown(columns []catalog.Column, m connector.MetadataColumn, k known) (catalog.Column, error) {
	at := slices.IndexFunc(columns, func(c catalog.Column) bool { return c.Metadata != nil && c.Metadata.Key == m.Key })
	typ := yqltype.Of(k.typ).Physical()
	typ.NotNull = columns[at].Type.NotNull
	e, err := castColumn(at, columns[at], typ)
	return catalog.Column{Name: k.name, Type: typ, Computed: e, Hidden: true}, err
}

// levels say what holds for the watermark of a table in this query, the first over the others.
func (l *Lowerer) levels(t *catalog.Table, o *topicOptions) []plan.Level {
	written := plan.Level{Origin: "WITH", Options: connector.Options{}, Spelled: map[string]string{}}
	otherwise := plan.Level{Origin: "default of", Options: connector.Options{}, Spelled: map[string]string{}}
	if t.Watermark == nil {
		return nil
	}
	put := func(level *plan.Level, key, spelled, value string) {
		level.Options[key], level.Spelled[key] = value, spelled
	}
	if l.streaming != nil && o.watermark != nil {
		for _, x := range []struct {
			key, spelled string
			length       *length
			usual        int64
		}{{plan.OptionGranularity, yql.OptionGranularity, o.granularity, l.pragmas.granularity.or(usualGranularity)}, {plan.OptionIdleTimeout, yql.OptionIdle, o.idle, l.pragmas.usualIdle()}} {
			if x.length != nil {
				put(&written, x.key, x.spelled, micros(x.length.micros))
			} else {
				put(&otherwise, x.key, x.spelled, micros(x.usual))
			}
		}
	}
	policy, said := l.latePolicy(o)
	_, own := t.Options[plan.OptionLate]
	mode := map[string]string{Drop: "drop", Adjust: "adjust"}[policy]
	switch {
	case said:
		put(&written, plan.OptionLate, yql.SettingLatePolicy, mode)
	case !own && !o.implied && t.PrimaryKey == nil: // a topic without WATERMARK loses no rows; only closed windows do not take them
		put(&otherwise, plan.OptionLate, yql.SettingLatePolicy, mode)
	}
	put(&otherwise, plan.OptionNullTime, "NULL as time", "SKIP_WATERMARK")
	_, grouped := t.Options[plan.OptionAlignGroup]
	if _, origin := l.session.Value(catalog.KeyDrift); !grouped && strings.HasPrefix(origin, "profile") { // YDB: no partition waits for another one
		put(&otherwise, plan.OptionAlignGroup, "no alignment", "none")
		put(&otherwise, plan.OptionAlignDrift, "no alignment", "0")
	}
	return []plan.Level{written, otherwise}
}

// latePolicy is the policy for late rows of a topic, and whether the text says it.
func (l *Lowerer) latePolicy(o *topicOptions) (policy string, said bool) {
	switch {
	case o.late != "":
		return o.late, true
	case l.streaming != nil && l.streaming.LatePolicy != "":
		return l.streaming.LatePolicy, true
	}
	return Drop, false
}
