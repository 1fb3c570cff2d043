package mutation

import "slices"

// mutations are the rules that scripts have to hold, each broken.
var mutations = slices.Concat(
	lateness, emission, idleness, merging, alignment, propagation, windows, operators,
	lookahead, dimensions, strategies, declarations, progression, waits, meaning, relations,
)

var lateness = []mutation{
	{"a row of exactly the watermark is on time, live", "C30 seed-000/36", "watermark/observe.go",
		"bound := int64(max(r.core.emitted, nullBound))", "bound := int64(max(r.core.emitted, nullBound)) - 1000"},
	{"a row of exactly the watermark is on time, in a replay", "C12 C30 flink-2/4 flink-23/34 flink-24/3", "watermark/observe.go",
		"if t < int64(max(emitted, nullBound)) {", "if t < int64(max(emitted, nullBound))-1000 || t == NoTime {"},
	{"the row behind the watermark by a millisecond is late already", "flink-2/4 ydb-6.5/1 C31", "watermark/observe.go",
		"if t < int64(max(emitted, nullBound)) {", "if t <= int64(max(emitted, nullBound)) {"},
	{"a row is judged by its own split's watermark", "C30 seed-000/36", "watermark/observe.go",
		"bound := int64(max(r.core.emitted, nullBound))", "bound := int64(max(r.split.frontier, nullBound))"},
	{"a watermark comes ahead of the row that makes it", "flink-3/4", "watermark/observe.go",
		"Mark{Row: r.row + int32(read), F: f}", "Mark{Row: r.row + int32(read) - 1, F: f}"},
	{"the watermark does not include its own millisecond", "flink-1 flink-2/3 seed-003/2", "watermark/frontier.go",
		"return Frontier((timefmt.FloorDiv(c, microsPerMilli) + 1) * microsPerMilli)", "return Frontier(timefmt.FloorDiv(c, microsPerMilli) * microsPerMilli)"},
	{"times before 1970 are rounded towards it", "", "watermark/frontier.go",
		"return Frontier((timefmt.FloorDiv(c, microsPerMilli) + 1) * microsPerMilli)", "return Frontier((c/microsPerMilli + 1) * microsPerMilli)"},
	{"late rows are kept and the others left out", "C32 C33 seed-000/39 seed-000/40 seed-000/41 ydb-6.5/1 ydb-6.5/4", "watermark/late.go",
		"is == (l == OnlyLate)", "is != (l == OnlyLate)"},
	{"a row from the future moves the watermark whatever 'watermark.max-ahead' says", "future-row flink-23/24", "watermark/observe.go",
		"if c.maxAhead > 0 {", "if c.maxAhead < 0 {"},
	{"a restart forgets the watermark", "C47 flink-1", "watermark/state.go",
		"c.emitted, c.beforeEnd, c.replaced = emitted, beforeEnd, replaced", "c.beforeEnd, c.replaced = beforeEnd, replaced"},
	{"the default delay is none", "C4 C10 seed-000/5 seed-000/6 flink-2/5 flink-23/29", "internal/plan/bind/default_watermark.go",
		"expr.LiteralInt(types.IntervalDayType, watermark.SourceDelay)", "expr.LiteralInt(types.IntervalDayType, watermark.SourceDelay-watermark.SourceDelay)"},
	{"rows without a time are not left out", "flink-3.5/1 flink-23/36 flink-23/37", "internal/runtime/worker.go",
		"r.batch.Sel = without(r.batch.Arena.Sel(rows), rows, s.seen.Null)", ""},
	{"rows without a time pass", "flink-3.5/1 flink-23/37", "internal/runtime/worker.go", "case watermark.Fail:\n", "case watermark.Fail + 9:\n"},
	{"a table's options win over a hint", "seed-003/4", "internal/plan/strategy.go",
		`append(slices.Clone(hints), Level{Origin: "WITH", Options: with})`, `append([]Level{{Origin: "WITH", Options: with}}, slices.Clone(hints)...)`},
}

var emission = []mutation{
	{"no watermark with every row at the start", "C5 C7 seed-000/9", "watermark/core.go", "return c.eagerFor > 0", "return false"},
	{"a watermark with every row for ever", "C6 C7 seed-000/7", "watermark/core.go", "\t\tc.eagerFor = 0\n\t}\n\treturn c.eagerFor", "\t\tc.eagerFor += 0\n\t}\n\treturn c.eagerFor"},
	{"the first 200 ms count from the start of the statement", "C7 seed-000/9", "watermark/observe.go",
		"c.delivered, c.firstAt = true, now", "c.delivered, c.firstAt = true, c.armedAt"},
	{"ticks emit nothing", "C6 seed-000/7 seed-003/5 seed-003/6 flink-3/1", "watermark/core.go", "if (turned || c.gap == 0) && c.combine() {", "if turned && c.combine() {"},
	{"a gap counts the rows of all splits", "seed-003/8", "watermark/observe.go",
		"toEmission := r.core.gap - r.split.read%r.core.gap",
		"all := int64(0)\n\t\tfor _, s := range r.core.splits {\n\t\t\tall += s.read\n\t\t}\n\t\ttoEmission := r.core.gap - all%r.core.gap"},
	{"a gap is one row longer", "seed-003/8 seed-003/10 flink-3.1/5", "watermark/observe.go",
		"toEmission := r.core.gap - r.split.read%r.core.gap", "toEmission := r.core.gap + 1 - r.split.read%(r.core.gap+1)"},
	{"a watermark of granularity includes its own instant", "ydb-6.1/1 ydb-6.2/1 ydb-6.6/1", "watermark/core.go",
		"c.gap, c.step, c.beyond = 1, e.Step, 0", "c.gap, c.step, c.beyond = 1, e.Step, e.Step"},
}

var idleness = []mutation{
	{"no flush", "C19 seed-000/24 flink-23/25", "watermark/core.go", "if c.flush && s.maxTime != NoTime {", "if c.flush && s.maxTime == NoTime {"},
	{"a split is silent while it waits for others", "FLINK-35886 FLINK-36751 C25 engine-3 flink-3.3/2 flink-4/4 flink-23/4 flink-23/5", "watermark/core.go", "clock = c.logs[i].stalledAt", "clock = now"},
	{"the time that a split has waited counts as silence afterwards", "engine-3 flink-3.3/2 flink-4/4 flink-23/4 flink-23/5", "watermark/core.go",
		"s.quietSince += lost", "s.quietSince += lost - lost"},
	{"the timeout does not grow with age", "C18 seed-000/23", "watermark/core.go",
		"return min(c.longest, c.timeout+max(0, begun-c.armedAt)/ProgressiveSlope)", "return c.timeout"},
	{"the timeout grows without end", "C20 seed-000/26", "watermark/core.go",
		"return min(c.longest, c.timeout+max(0, begun-c.armedAt)/ProgressiveSlope)", "return c.timeout + max(0, begun-c.armedAt)/ProgressiveSlope"},
	{"a silence of exactly the timeout is none", "FLINK-40503 flink-3.3/1", "watermark/core.go",
		"return now-since >= c.timeoutAt(since)", "return now-since > c.timeoutAt(since)"},
	{"a row does not end the silence", "FLINK-34252 C17 seed-000/22 flink-3.3/3 ydb-6.4/4", "watermark/observe.go",
		"\ts.quietSince = now\n", "\ts.quietSince += 0\n"},
	{"when all are idle, the least of their watermarks", "FLINK-38454 C23 flink-3.2/1 flink-24/6", "watermark/core.go",
		"f = max(f, c.splits[i].frontier)", "if f == Unset {\n\t\t\t\t\tf = c.splits[i].frontier\n\t\t\t\t}\n\t\t\t\tf = min(f, c.splits[i].frontier)"},
	{"when all are idle, YDB's watermark moves too", "ydb-6.4/3", "watermark/core.go",
		"if !c.stays && !c.splits[i].finished {", "if !c.splits[i].finished {"},
	{"YDB's idle clock has no grid", "ydb-6.4/1", "watermark/core.go", "if c.grid == 1 {", "if c.grid >= 1 {"},
	{"a split that wakes up behind does not hold the watermark", "C23 flink-3.2/4 flink-3.3/3 flink-24/7 ydb-6.4/4", "watermark/core.go",
		"c.tree.set(i, s.frontier)\n\tc.idle--", "s.frontier = max(s.frontier, c.emitted)\n\tc.tree.set(i, s.frontier)\n\tc.idle--"},
	{"a restart does not begin the silences anew", "C47 engine-3", "watermark/state.go",
		"splits[i].quietSince, logs[i].since = c.armedAt, c.armedAt", "splits[i].quietSince, logs[i].since = 0, c.armedAt"},
}

var merging = []mutation{
	{"the greatest of the splits instead of the least", "C16", "watermark/core.go",
		"f = c.least()", "for i := range c.splits {\n\t\t\tif s := &c.splits[i]; s.takesPart() {\n\t\t\t\tf = max(f, s.frontier)\n\t\t\t}\n\t\t}"},
	{"a split that has said nothing does not hold the watermark", "C16 flink-3.2/2 ydb-6.3/2", "watermark/core.go",
		"c.tree.set(i, Unset)", "c.tree.set(i, Final)"},
	{"a split that has ended holds the watermark", "flink-3.2/3 flink-23/9", "watermark/core.go",
		"c.tree.set(i, Final)\n\tc.combine()", "c.combine()"},
	{"the end of all splits is not the end of time", "FLINK-18820 flink-23/21 flink-3.4/1 flink-23/19 flink-23/20", "watermark/core.go",
		"f, c.active = Final, true", "c.active = true"},
}

var alignment = []mutation{
	{"exactly the drift is too far ahead", "C25 flink-4/2", "internal/runtime/alignment.go",
		"return a.least.Add(s.spec.Strategy.Alignment.Drift)", "return a.least.Add(s.spec.Strategy.Alignment.Drift - 1000)"},
	{"there is no drift", "C24 C26 seed-000/31 seed-000/33 flink-4/6", "internal/runtime/alignment.go",
		"return a.least.Add(s.spec.Strategy.Alignment.Drift)", "return a.least"},
	{"nothing waits", "flink-4/8 C24 C25 seed-000/31 seed-003/12 flink-4/2", "internal/runtime/alignment.go",
		"if x.paused.Load() {\n\t\treturn\n\t}\n\ta.paused++", "if x != nil {\n\t\treturn\n\t}\n\ta.paused++"},
	{"a split without rows holds the others", "FLINK-32414 flink-4/1 flink-23/1", "watermark/alignment.go",
		"s.takesPart() && s.frontier != Unset", "s.takesPart()"},
	{"an idle split holds the others", "FLINK-31632 flink-4/7 flink-23/2 C28 flink-4/1", "watermark/alignment.go",
		"s.takesPart() && s.frontier", "!s.finished && s.frontier"},
	{"every source is aligned with itself only", "C24 seed-000/31 flink-3.1/4", "internal/runtime/alignment.go",
		"g := groups[by.Group]\n\t\tif g == nil {", "g := groups[by.Group]\n\t\tif g == nil || g != nil {"},
	{"all groups are one", "flink-3.1/4 seed-000/32 seed-003/12", "internal/runtime/alignment.go",
		"g := groups[by.Group]\n", "by.Group = \"\"\n\t\tg := groups[by.Group]\n"},
}

var propagation = []mutation{
	{"an idle input holds the others", "FLINK-18934 flink-5.2/1 flink-23/14", "watermark/merge.go",
		"m.tree.set(input, Final)", "m.tree.set(input, m.frontier[input])"},
	{"the greatest of the inputs instead of the least", "C16 seed-000/42 flink-5.2/1 flink-5.2/5", "watermark/merge.go",
		"m.combined = max(m.combined, m.tree.min())", "for _, f := range m.frontier {\n\t\t\tm.combined = max(m.combined, f)\n\t\t}"},
	{"when all inputs are idle the watermark stays", "C19", "watermark/merge.go",
		"for _, f := range m.frontier {\n\t\t\tm.combined = max(m.combined, f)\n\t\t}", ""},
	{"CURRENT_WATERMARK is a millisecond further", "C49 flink-15/9", "internal/operator/current_watermark.go",
		"timefmt.Floor(int64(f), timefmt.Millisecond) - timefmt.Millisecond, true", "timefmt.Floor(int64(f), timefmt.Millisecond), true"},
	{"a watermark overtakes the results it makes", "engine-4 flink-5.3/3", "internal/operator/window_fire.go",
		"	for len(*h) > 0 {\n", "	if err := out.Advance(p); err != nil {\n\t\treturn err\n\t}\n	for len(*h) > 0 {\n"},
}

var windows = []mutation{
	{"a window includes its end", "flink-6 flink-7", "watermark/frontier.go",
		"return int64(f) >= deadline", "return int64(f) > deadline"},
	{"a window fires a millisecond early", "flink-7", "watermark/frontier.go",
		"return int64(f) >= deadline", "return int64(f) >= deadline-1000"},
	{"windows before 1970 begin towards it", "flink-6", "internal/window/spec.go", "if m < 0 {", "if m < -b {"},
	{"a row that is late for its first window is dropped", "flink-15/2 flink-23/35", "internal/operator/window_aligned.go",
		"w.complete(window.Window{End: last}) {\n\t\treturn nil", "w.complete(window.Window{End: a.Spec.FirstEnd(end)}) {\n\t\treturn nil"},
	{"a late row counts in windows that have fired", "C34 flink-15/1 seed-000/37", "internal/operator/window_aligned.go",
		"|| w.complete(window.Window{End: last}) {", "{"},
	{"HOP leaves out the last window of a row", "flink-6 flink-7", "internal/operator/window_aligned.go",
		"if a.Spec.LastEnd(s.span.End) <= x.End {", "if a.Spec.LastEnd(s.span.End) <= x.End+a.Spec.Slide {"},
	{"CUMULATE answers at the last step only", "flink-24/4", "internal/operator/window_aligned.go",
		"w.queue(a.Spec.Window(a.Spec.Next(x.End)))\n\t\treturn w.emit(x, shared)", "w.queue(a.Spec.Window(a.Spec.Next(x.End)))\n\t\treturn nil"},
	{"sessions that touch stay apart", "flink-6 flink-24/5", "internal/window/session.go",
		"a.Start <= b.End && b.Start <= a.End", "a.Start < b.End && b.Start < a.End"},
	{"a row is late for its own session, whatever it touches", "flink-15/3", "internal/operator/session_aggregate.go",
		"lo := s.search(open, own.Start)\n", "if s.frontier.Complete(own.End) {\n\t\treturn none, false\n\t}\n\tlo := s.search(open, own.Start)\n"},
	{"a row never opens a late session", "flink-15/3", "internal/operator/session_aggregate.go",
		"if s.frontier.Complete(own.End) {", "if s.frontier.Late(own.Start) {"},
	{"a late row is adjusted into every window that is open", "ydb-6.5/3", "internal/compile/compile.go",
		"if n.Adjusts() && n.Windows.Spec.Kind == window.Hop {", "if false {"},
	{"a late row is adjusted into the window of its own time", "ydb-6.5/3", "internal/operator/window_aligned.go",
		"late := a.Adjusts && w.frontier.Late(t)", "late := false && w.frontier.Late(t)"},
	{"a late row is adjusted into the last window that is open", "ydb-6.5/3", "internal/operator/window_aligned.go",
		"a.Spec.Window(a.Spec.FirstEnd(a.Spec.SliceEnd(local))).Start", "local"},
	{"window_time is the end", "flink-2/7", "internal/operator/window_aggregate.go", "deadline-w.spec.Tick)", "deadline)"},
	{"a window Top-N takes late rows", "C35 flink-15/1", "internal/operator/window_top_n.go", "if w.complete(x) {", "if w.complete(x) && x.Start > x.End {"},
}

var operators = []mutation{
	{"OVER without a bound takes late rows", "FLINK-7564 C35 flink-15/6 flink-23/26 flink-23/31", "internal/operator/over.go",
		"int64(o.frontier.Sub(timefmt.Millisecond)), o.frontier.Late(t)", "int64(o.frontier.Sub(timefmt.Millisecond)), false"},
	{"OVER with a bound takes a row of the time that left last", "C35 flink-15/7", "internal/operator/over.go",
		"t <= p.fired {", "t < p.fired {"},
	{"OVER lets rows go with the watermark before them", "flink-5.3/4", "internal/operator/over.go",
		"f.Late(o.waiting[0].place) {", "f.Add(1000).Late(o.waiting[0].place) {"},
	{"a sort takes a row of the time that left last", "C35", "internal/operator/sort.go", "&& t <= s.left {", "&& t < s.left {"},
}
