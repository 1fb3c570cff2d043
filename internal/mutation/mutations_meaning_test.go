package mutation

// meaning are rules of what statements mean, and of what is refused.
var meaning = []mutation{
	{"two readings of a table are shown as one", "FLINK-32952", "internal/plan/explain.go", "if text := s.explain(replay); !told[text] {", "if text := s.explain(replay); !told[s.Name()] {\n\t\t\ttold[s.Name()] = true"},
	{"PROCTIME is a function that nobody knows", "C1 seed-000/1", "internal/plan/bind/processing_time.go", `return b.unsupported(e.Span(), inPlaceOfProcTime(where), procTime+" is")`, "return nil"},
	{"an unknown option is taken", "C48", "internal/connector/options.go", "if !Known(key, specs) {", "if !Known(key, specs) && key == \"\" {"},
	{"of two spellings of one setting the later wins", "engine-2", "internal/catalog/settings.go", "v.key != key && v.value != value {", "v.key == key && v.value != value {"},
	{"the interval is free in the profile confluent", "seed-000/8", "internal/catalog/settings.go", "if known.Key == KeyEmitInterval && s.Profile() == Confluent {", "if known.Key == KeyEmitInterval && s.Profile() == \"\" {"},
	{"every timestamp is a time attribute", "C50 flink-2/6 flink-5.3/2 seed-000/43", "internal/plan/bind/window.go", "if c.Rowtime {\n\t\treturn", "if c.Type.IsTime() {\n\t\treturn"},
	{"no column stays a time attribute", "flink-2/6 flink-5.3/1", "internal/plan/bind/query.go", "col.Rowtime, col.Edge, col.Window = from.Rowtime, from.Edge, from.Window", "col.Edge, col.Window = from.Edge, from.Window"},
	{"the expression of a watermark is its column", "C12 C15 flink-2/2 seed-000/19 ydb-6.1/2", "internal/compile/scan.go", "in.candidate = substitute(t.Watermark.Expr)", "in.candidate = in.time"},
	{"a row without a time has that of the row before", "flink-23/38", "internal/compile/scan.go", "out[i] = watermark.NoTime", "out[i] = out[max(i-1, 0)]"},
	{"a time attribute may be finer than a millisecond", "flink-2/1", "internal/plan/bind/table.go", "if c.Type.Precision > maxTimePrecision {", "if c.Type.Precision > maxTimePrecision+6 {"},
	{"a watermark over a number is taken", "flink-2/1", "internal/plan/bind/table.go", "if !c.Type.IsTime() {", "if !c.Type.IsTime() && !c.Type.IsInteger() {"},
	{"times of TIMESTAMP_LTZ are told as those of no zone", "engine-1", "internal/compile/scan.go", "t.Columns[t.Watermark.Column].Type.Kind == types.TimestampLTZ,", "t.Columns[t.Watermark.Column].Type.Kind == types.Timestamp,"},
	{"an hour that is skipped or repeated is none of a zone", "flink-17", "internal/window/zone.go", "return min(reached, s.until)", "return reached"},
	{"windows of TIMESTAMP_LTZ are those of UTC", "flink-17", "internal/window/zone.go", "return utc + s.offset", "return utc + s.offset - s.offset"},
	{"EXPLAIN does not say where a value comes from", "flink-24/1", "internal/plan/strategy.go", "StrategyField{Name: name, Value: value, Origin: origin}", "StrategyField{Name: name, Value: value}"},
	{"of two hints of one name the later wins", "flink-3.1/2", "internal/plan/bind/hint.go", "if _, twice := level.Options[key]; twice {", "if _, twice := level.Options[key]; twice && key == \"\" {"},
	{"a surplus argument of a window is passed over", "FLINK-22523 flink-23/39", "internal/plan/bind/window.go", "} else {\n\t\t\treturn nil, b.errorf(source.CodeWindow, a.Span(), \"call it as \"+form.form, \"%s takes %d", "} else if i < len(params) {\n\t\t\treturn nil, b.errorf(source.CodeWindow, a.Span(), \"call it as \"+form.form, \"%s takes %d"},
	{"a window takes rows that are updated", "flink-23/45", "internal/plan/bind/window.go", "if plan.Updates(input) {", "if plan.Updates(input) && input == nil {"},
	{"after a crash time has ended", "flink-3.4/3", "watermark/state.go", "c.emitted, c.beforeEnd, c.replaced = h.emitted, h.beforeEnd, h.replaced", "c.emitted, c.beforeEnd, c.replaced = Final, h.emitted, h.replaced"},
	{"a live input cannot be drained", "flink-3.4/2", "internal/runtime/sequencer.go", "if q.job.drained.Load() {", "if q.job.drained.Load() && q.replay {"},
	{"late rows at the source are not counted", "C34 seed-000/46", "internal/runtime/worker.go", "s.counts.late.Add(int64(len(s.seen.Late)))", "s.counts.late.Add(0)"},
	{"a split is held by no other", "seed-003/3 ydb-page/7", "watermark/observe.go", "ceiling = c.least()\n", "ceiling = Final\n"},
}

// relations are rules of operators that know nothing of time, or only what to do with rows without one.
var relations = []mutation{
	{"OVER drops rows and does not count them", "flink-23/31 FLINK-18850", "internal/operator/over.go", "o.counts.Drop(dataflow.Dropped{Time: t, Deadline: limit, Frontier: o.frontier})", "_ = dataflow.Dropped{Time: t, Deadline: limit, Frontier: o.frontier}"},
	{"a window passes over rows without a time", "flink-3.5/2", "internal/operator/window_aligned.go", "\t\t\treturn errNullTime\n", "\t\t\tcontinue\n"},
	{"a row that leaves with the watermark leaves with the last one", "flink-5.3/4 flink-5.3/5", "internal/operator/over.go", "f.Late(o.waiting[0].place) {", "f == watermark.Final {"},
	{"UNNEST keeps the watermark for itself", "flink-5.3/6", "internal/operator/unnest.go", "Marks: u.marks, ", ""},
	{"a row is in the window behind its own", "flink-6 flink-9", "internal/operator/window_assign.go", "w.spec.Assign(t, w.windows)", "w.spec.Assign(t+w.spec.Size, w.windows)"},
	{"an update of a group does not take back what was", "flink-16", "internal/operator/group_aggregate.go", "ops[old], tells[old] = vector.UpdateBefore, true", "ops[old], tells[old] = vector.UpdateBefore, false"},
	{"nobody is told of a key that is taken back whole", "flink-23/42", "internal/operator/group_aggregate.go", "ops[old], tells[old] = vector.Delete, true", "ops[old], tells[old] = vector.Delete, false"},
	{"an outer join forgets that a match has gone", "flink-23/46", "internal/operator/join.go", "if otherOuter && other.matched[m] == 1 {", "if otherOuter && other.matched[m] < 1 {"},
	{"sessions that become one forget the values of the second", "flink-23/40", "internal/operator/session_aggregate.go", "a.Merge([]uint32{uint32(to)}, a, []uint32{uint32(from)})", "_ = a"},
	{"state is there at the very end of its time to live", "", "internal/operator/lifetime.go", "return l.written[id] <= l.now-l.ttl", "return l.written[id] < l.now-l.ttl"},
	{"with a time to live, too, a result that stays as it was is not told again", "", "internal/operator/group_aggregate.go", "case g.life.ttl > 0 || !unchanged(before, after, j):", "case !unchanged(before, after, j):"},
	{"a match gives an outer row no more time", "", "internal/operator/join.go", "\t\t\tif otherOuter {\n\t\t\t\tother.life.write(m)\n\t\t\t}\n\t\t}\n\t\treturn\n", "\t\t}\n\t\treturn\n"},
	{"a row that was forgotten takes nothing back", "", "internal/operator/join.go", "if !mine.remove(j.keyIDs[k], id) && mine.life.ttl == 0 {\n\t\treturn // with", "if !mine.remove(j.keyIDs[k], id) {\n\t\treturn // with"},
	{"a restart gives state its time again", "", "internal/operator/lifetime.go", "\t\tl.written[id] = written\n", "\t\tl.written[id] = unwritten\n"},
}
