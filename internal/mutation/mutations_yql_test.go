package mutation

const (
	lowerTopic, lowerWatermark, lowerGroup, lowerWindow = "internal/yql/lower/topic.go", "internal/yql/lower/watermark.go", "internal/yql/lower/group.go", "internal/yql/lower/window.go"
	lowerWrite, lowerName                               = "internal/yql/lower/write.go", "internal/yql/lower/name.go"
)

// yqlTimes are the rules of watermarks and windows of streaming queries.
var yqlTimes = []mutation{
	{"WATERMARK has no delay", "ydb-page/4 ydb-page/5 ydb-page/6 ydb-page/9 ydb-page/13", lowerWatermark, "expr.LiteralInt(types.IntervalDayType, delay)", "expr.LiteralInt(types.IntervalDayType, delay-delay)"},
	{"a topic without WATERMARK has no delay", "ydb-5.5/1", lowerWatermark, "l.pragmas.delay.or(impliedDelay)", "l.pragmas.delay.or(0)"},
	{"a time that is computed is none of a watermark", "ydb-13/1", lowerWatermark, "time.column, time.expr = len(columns), t.Expr", "time.column, time.expr = indexOf(columns, writeTime), nil"},
	{"WATERMARK takes a time of any type", "ydb-6.1/3", lowerWatermark, "if t.Static != nil || t.Type.Kind != yqltype.Timestamp {", "if t.Static != nil {"},
	{"nobody knows when a message was written", "ydb-page/2", lowerTopic, "if i < 0 {", "if i < 0 || k.name == writeTime {"},
	{"a watermark falls with a row that is behind", "ydb-page/1", "watermark/observe.go", "if candidate < rises {\n\t\t\tcontinue", "if candidate < rises {\n\t\t\tif candidate != NoTime {\n\t\t\t\tr.split.frontier = r.core.promise(candidate)\n\t\t\t\tr.core.emitted = min(r.split.frontier, ceiling)\n\t\t\t}\n\t\t\tcontinue"},
	{"granularity and idle timeout are none unless they are written", "ydb-6.1/4 ydb-page/8 ydb-page/10 ydb-page/11", lowerTopic, "put(&otherwise, x.key, x.spelled, micros(x.usual))", "_ = x.usual"},
	{"WATERMARK_LATE_EVENTS_POLICY has no effect", "ydb-2.1/4 ydb-6.5/3", lowerTopic, "return l.streaming.LatePolicy, true", "return Drop, true"},
	{"late rows are adjusted unless a query says otherwise", "ydb-page/4 ydb-page/15", lowerTopic, "return Drop, false", "return Adjust, false"},
	{"HOP_START() and HOP_END() are the start of the window", "ydb-5.1/1 ydb-page/14 ydb-page/18", lowerWindow, "newColumn(edgeBase+int(edge-plan.StartEdge)", "newColumn(edgeBase"},
	{"HOP_END() is no time of a watermark", "ydb-5.3/3", lowerWindow, "Edge: plan.EndEdge, Window: of, Rowtime: true}", "Edge: plan.EndEdge, Window: of}"},
	{"a row without a time fails a window", "ydb-5.1/4", lowerWindow, "!c.Type.NotNull {", "!c.Type.NotNull && c.Type.NotNull {"},
	{"READ_FROM reads what was written before it", "ydb-2.5/2", lowerTopic, "l.streaming.Since == 0", "l.streaming.Since >= 0"},
	{"rows before 1970 are in windows", "ydb-5.2/2", lowerWindow, "Condition: notBefore(n, time, 0), Tells", "Condition: mustCall(\"IS NOT NULL\", newColumn(time, \"t\", n.Columns()[time].Type)), Tells"},
	{"windows begin before 1970", "ydb-5.2/2", lowerWindow, "if w.spec.Kind == window.Tumble {", "if w.spec.Kind <= window.Hop {"},
	{"windows are as long as their step", "ydb-5.2/1", lowerWindow, "spec = window.Spec{Kind: window.Hop, Slide: step, Size: size}", "spec = window.Spec{Kind: window.Tumble, Size: step}"},
	{"the size of a window need be no multiple of its step", "ydb-5.2/3", lowerWindow, "case size%step != 0:", "case size%step < 0:"},
	{"a window goes by the watermark of another time", "ydb-page/12", lowerWatermark, "return 0, l.otherTime(e, rows, window)", "return rows.time.column, nil"},
	{"further arguments of HoppingWindow are passed over", "ydb-5.6/1", lowerWindow, "if !strings.EqualFold(x, a.Name.Name) {", "if strings.EqualFold(x, a.Name.Name) {\n\t\t\t\treturn nil\n\t\t\t}\n\t\t\tif a.Name != nil {"},
	{"a key of GROUP BY has no name", "ydb-5.1/3", lowerGroup, "if k.Alias != nil {\n\t\tkey.name", "if k.Alias != nil && k.Expr == nil {\n\t\tkey.name"},
	{"windows close ten seconds early", "ydb-5.3/1 ydb-page/3 ydb-page/4", "internal/operator/window_fire.go", "if !p.Frontier.Complete(at) {", "if !p.Frontier.Complete(at - 10_000_000) {"},
	{"the end of the input closes no window", "ydb-5.3/4", "internal/operator/window_fire.go", "if !p.Frontier.Complete(at) {", "if !p.Frontier.Complete(at) || p.Frontier == watermark.Final {"},
	{"HOP does not wait for its delay", "ydb-5.1/2", "internal/operator/windows_by_key.go", "now := start - w.spec.Delay;", "now := start;"},
	{"with HOP a row ends the windows of all keys", "ydb-5.4/1", "internal/operator/windows_by_key.go", "\t\t\tw.end(id, now)\n", "\t\t\tfor all := range w.panes {\n\t\t\t\tw.end(uint32(all), now)\n\t\t\t}\n"},
	{"windows of HOP that the end of the input closes leave in no order of keys", "ydb-5.4/1", "internal/operator/windows_by_key.go", "return cmp.Compare(group(a), group(b))", "return 0 * cmp.Compare(group(a), group(b))"},
	{"late rows of HOP give their key more time", "ydb-5.4/1", "internal/operator/windows_by_key.go", "\t\tcase last <= w.clocks[id]:\n", "\t\tcase last <= w.clocks[id]:\n\t\t\tw.life.write(id)\n"},
	{"a stream is read before the table that it is joined with", "ydb-10/1", "internal/compile/table_join.go", "!slices.Contains(s.After, table) && ", "len(s.Name) == 0 && "},
	{"windows that are open in a checkpoint are forgotten", "ydb-2.2/1", "internal/operator/window_aggregate_state.go", "w.spec.Windows.schedule(w, s)", "_ = s"},
}

// yqlTexts are the rules of the language of streaming queries, and of what they read and write.
var yqlTexts = []mutation{
	{"keywords mind case", "ydb-2.1/1 ydb-3.1/1", "internal/sql/tokens/lexer.go", "t.Upper = strings.ToUpper(value)", "t.Upper = value"},
	{"a streaming query needs WITH", "ydb-page/16", "internal/yql/parse_ddl.go", "if p.Accept(\"WITH\") {\n\t\ts.Settings = p.settings()\n\t}\n\tif !p.At(\"AS\") {\n\t\tif s.Settings == nil {\n\t\t\tp.Expected(\"WITH (…)\", \"AS DO BEGIN\")",
		"if p.Expect(\"WITH\"); true {\n\t\ts.Settings = p.settings()\n\t}\n\tif !p.At(\"AS\") {\n\t\tif s.Settings == nil {\n\t\t\tp.Expected(\"WITH (…)\", \"AS DO BEGIN\")"},
	{"nobody knows PRAGMA pq.Consumer", "ydb-3/2", "internal/yql/lower/pragma.go", "if i < 0 {", "if i <= 0 {"},
	{"a name that is given anew is what it was", "ydb-3.1/2", lowerName, "if n.of == ref.Name.Name {\n\t\t\treturn n, nil", "if n.of == ref.Name.Name {\n\t\t\tfor first := n; first != nil; first = first.before {\n\t\t\t\tif first.of == n.of {\n\t\t\t\t\tn = first\n\t\t\t\t}\n\t\t\t}\n\t\t\treturn n, nil"},
	{"a named query is read by each of its readers", "ydb-3.1/4", lowerName, "out.node = &plan.Shared{Input: rows.node, Name: label}", "out.node = rows.node"},
	{"the alias of a topic is passed over", "ydb-3.1/3", "internal/yql/lower/from.go", "if alias != nil {\n\t\totherwise", "if alias != nil && otherwise == \"\" {\n\t\totherwise"},
	{"* has the system columns", "ydb-4.1/2", "internal/yql/lower/from.go", "kind = systemColumn", "kind = plainColumn"},
	{"system columns are NULL but for the time of writing", "ydb-4.1/1", lowerTopic, "if i < 0 {", "if i < 0 || k.name != writeTime {"},
	{"Unwrap takes NULL for a value", "ydb-3.1/5 ydb-4.3/1", "internal/yql/functions/optional.go", "expr.NewPresent(v.Expr, message, \"write Coalesce(…, …), or leave such rows out with WHERE … IS NOT NULL\")", "expr.NewRequired(v.Expr, message)"},
	{"FLATTEN COLUMNS has the first member alone", "ydb-3.1/6", "internal/yql/lower/flatten.go", "range functions.Members(v) {", "range functions.Members(v)[:1] {"},
	{"UNION ALL puts columns together by their places", "ydb-3.1/7", "internal/yql/lower/union.go", "i, j := left.index(name), right.index(name)", "i, j := left.index(name), right.index(name)\n\t\tif i >= 0 {\n\t\t\tj = min(i, len(right.columns)-1)\n\t\t}"},
	{"a Timestamp is written with three digits", "ydb-3.2/2", "internal/yql/functions/cast_text.go", "return timefmt.AppendTimestamp(dst, n, 6, 'T', true)", "return timefmt.AppendTimestamp(dst, n, 3, 'T', true)"},
	{"an Interval has no fractions", "ydb-3.2/3", "internal/yql/functions/cast_text.go", "\t\tif i < end {\n", "\t\tif i < end && end > 6 {\n"},
	{"FORMAT and SCHEMA are passed over", "ydb-4/1 ydb-page/17", lowerTopic, "case o.schema != nil || o.format != \"\":", "case o.schema != nil && o.format == \"\":"},
	{"a message that is a file of Parquet is refused by no name", "ydb-4.2/3", "internal/yql/lower/option.go", "if o.format == \"parquet\" {", "if o.format == \"\" {"},
	{"SHARED_READING_SKIP_JSON_ERRORS has no effect", "ydb-4/3 ydb-4.3/2", lowerTopic, "if o.skip {", "if o.skip && o.format == \"\" {"},
	{"a column of Json takes text alone", "ydb-4.2/1", "internal/connector/format/json_messages.go", "c.verbatim = slices.Contains(verbatim, c.Name)", "c.verbatim = len(verbatim) < 0"},
	{"of a message with several rows the first is read alone", "ydb-4.2/2", "internal/connector/format/json_array.go", "\t\tswitch {\n\t\tcase i == end:\n\t\t\treturn d.fail(cutOff, end)\n\t\tcase d.buf[i] == ']':", "\t\tif d.n > 0 {\n\t\t\treturn true\n\t\t}\n\t\tswitch {\n\t\tcase i == end:\n\t\t\treturn d.fail(cutOff, end)\n\t\tcase d.buf[i] == ']':"},
	{"aggregates with _IF do not mind their condition", "ydb-7/2", "internal/yql/functions/aggregates.go", "a.Filter = condition.Expr", "_ = condition.Expr"},
	{"COUNT counts NULLs", "ydb-7/1", "internal/function/agg_count.go", "if !arg.IsNull(rows.At(k)) {", "if i := rows.At(k); i >= 0 || !arg.IsNull(i) {"},
	{"an aggregate of a window takes DISTINCT", "ydb-7/3", lowerGroup, "if c.Distinct && (g.window != nil || g.input.rows.stream) {", "if c.Distinct && g.window == nil && g.input.rows.stream {"},
	{"GROUP BY over a stream needs no window", "ydb-7/4", lowerGroup, "if g.window == nil && !ends {", "if g.window == nil && !ends && q == nil {"},
	{"SessionWindow is no key of its own", "ydb-7/5", lowerGroup, "case \"sessionwindow\":", "case \"\":"},
	{"SplitToList gives the last part alone", "ydb-8/1", "internal/yql/functions/split.go", "len(part) > 0 || !skip {\n\t\t\tb.", "len(part) < 0 {\n\t\t\tb."},
	{"NULL is a text in JSON", "ydb-8/2", "internal/yql/functions/document.go", "return append(dst, \"null\"...)", "return append(dst, \"\\\"null\\\"\"...)"},
	{"a topic may be written twice", "ydb-3/1", "internal/yql/lower/lower.go", "if _, twice := written[p.Into.Path]; twice {", "if _, twice := written[p.Into.Path]; twice && i == nil {"},
	{"a topic takes any number of columns", "ydb-9/1", lowerWrite, "if len(columns) != 1 {", "if len(columns) < 1 {"},
	{"UPSERT does without the key", "ydb-9/2", lowerWrite, "range t.PrimaryKey {", "range t.PrimaryKey[:0] {"},
	{"rows of a stream do not wait for the table that they are joined with", "ydb-10/1", "internal/operator/table_join.go", "case !j.ended:", "case !j.ended && len(j.ids) < 0:"},
	{"what a table has come to is told again after a restart", "ydb-10/1", "internal/operator/at_end.go", "e.rows, e.times, e.live = state.NewKeys(e.spec.Kinds), nil, 0", "e.live = 0"},
	{"a join with a table keeps the watermark for itself", "ydb-10/3", "internal/operator/table_join.go", "return out.Advance(dataflow.Progress{Frontier: f, Active: active})", "_ = active\n\treturn nil"},
}
