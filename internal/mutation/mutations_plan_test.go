package mutation

// strategies are the rules by which a table gets its strategy.
var strategies = []mutation{
	{"the session wins over the idle timeout of a table", "C22 seed-000/30 seed-003/11 flink-3.1/3", "internal/plan/strategy.go",
		"text, origin, ok := r.option(OptionIdleTimeout)\n\tif !ok {\n\t\tif bounded {", "text, origin, ok := r.option(OptionIdleTimeout)\n\tif ok = false; !ok {\n\t\tif bounded {"},
	{"an idle timeout of 0 is a short one", "C21 seed-000/28 seed-000/29", "internal/plan/strategy.go",
		"if timeout == 0 {\n\t\treturn watermark.Never{}, nil\n\t}\n\treturn watermark.Fixed", "if timeout = max(timeout, 1000); timeout == 0 {\n\t\treturn watermark.Never{}, nil\n\t}\n\treturn watermark.Fixed"},
	{"the idle timeout of the session has no effect in the profile flink", "FLINK-20947 flink-23/16", "internal/plan/strategy.go",
		"text, origin = r.session.Value(catalog.KeyIdleTimeout)\n\t}\n\tif r.step", "if text, origin = r.session.Value(catalog.KeyIdleTimeout); r.session.Profile() == catalog.Flink {\n\t\t\ttext = \"0\"\n\t\t}\n\t}\n\tif r.step"},
	{"a drift of 0 is a short one", "C27 seed-000/34", "internal/plan/strategy.go",
		"if err != nil || drift == 0 {\n\t\treturn a, err", "if drift = max(drift, 1000); err != nil {\n\t\treturn a, err"},
	{"an update interval of 0 is one", "flink-4/3", "internal/plan/strategy.go", "if paced && pause == 0 {", "if paced && pause < 0 {"},
	{"a group without a drift is no alignment, and nobody is told", "alignment-without-drift flink-23/10", "internal/plan/strategy.go", "if grouped && !drifts {", "if grouped && !drifts && group == \"\" {"},
	{"a gap without on-event is taken and has no effect", "seed-003/9", "internal/plan/strategy.go", `if gapSet && how != "on-event" {`, `if gapSet && how == "never" {`},
	{"on-event is on-periodic", "seed-003/7 flink-3.1/1", "internal/plan/strategy.go", "\tif how == \"on-event\" {\n\t\tif !gapSet", "\tif how == \"never\" {\n\t\tif !gapSet"},
	{"an interval of 0 is a short one", "flink-3/2", "internal/runtime/source.go", "interval = p.Interval", "interval = max(p.Interval, 1000)"},
	{"a replay emits with every row, whatever its table says", "engine-6", "internal/plan/strategy.go", "if !explicit && bounded {", "if bounded {"},
	{"'sql.snapshot.mode' has no effect on the watermark", "C46 seed-000/3", "internal/plan/strategy.go", "mode == catalog.SnapshotNow", "mode == \"never\""},
	{"a snapshot query never ends", "C46 seed-000/3", "internal/plan/bind/snapshot.go", "if !b.snapshots() {", "if b.snapshots() {"},
	{"a snapshot query emits while it reads", "C46 seed-000/3", "watermark/core.go", "case c.quiet:", "case c.quiet && c.live == 0:"},
	{"late rows are left out of any table", "C31 seed-000/38 flink-15/8", "internal/plan/strategy.go", "ok && mode != lateThrough {", "!ok || mode != lateThrough {"},
	{"'late-handling.mode' has no effect", "C32 seed-000/39 seed-000/41", "internal/plan/bind/late.go", "n.Late = n.Strategy.Late\n", "n.Late = watermark.PassLate\n"},
	{"there are late tables of all tables", "C33 seed-000/40", "internal/plan/bind/late.go", "if !n.Strategy.Shown {", "if n.Strategy.Shown {"},
	{"times of late tables are time attributes", "", "internal/plan/bind/late.go", "n.Cols[i].Rowtime = false", "n.Cols[i].Rowtime = n.Cols[i].Rowtime && true"},
	{"two readings with different watermarks are one", "flink-23/18", "internal/plan/kept.go", "maps.Equal(a.Table.Options, b.Table.Options) &&\n\t\tslices.Equal(a.Strategy.Fields, b.Strategy.Fields)", "len(a.Strategy.Fields) > 0"},
}

// keeping are the rules by which rows that are left out are kept.
var keeping = []mutation{
	{"late rows of a batch are told the watermark of the last", "engine-8", "internal/runtime/lateness.go", "f := l.frontiers[k]\n", "f := l.frontiers[len(l.frontiers)-1+0*k]\n"},
	{"late rows are counted from the beginning of their batch", "engine-8", "internal/runtime/lateness.go", "l.first+int64(row)", "int64(row)"},
	{"a query whose rows go to the user keeps late rows", "engine-9", "internal/plan/bind/kept.go", "if into != nil && captures(n) {", "if captures(n) {"},
	{"each INSERT keeps the late rows of the reading that it shares", "engine-9", "internal/plan/bind/kept.go", "func(s *plan.Scan) bool { return plan.SameReading(s, n) }) {", "func(s *plan.Scan) bool { return s == n }) {"},
	{"rows of several tables are kept as those of the first", "engine-8", "internal/plan/bind/kept.go", "same.of, same.rows = append(same.of, n), append(same.rows, fit)", "same.of = append(same.of, n)"},
	{"'error-handling.mode' = 'log' is 'ignore'", "errors-3", "internal/runtime/worker.go", "t.kind == readChunk && left != nil {", "t.kind == readChunk && left != nil && t.now < 0 {"},
}

// declarations are the rules of WATERMARK FOR and of the default.
var declarations = []mutation{
	{"a table with a default watermark keeps it, whatever it declares", "C11 seed-000/18", "internal/plan/bind/table.go",
		"if d.Watermark != nil {\n\t\tif err := b.within", "if d.Watermark != nil && t.Watermark == nil {\n\t\tif err := b.within"},
	{"`$rowtime` is part of *", "C3 seed-000/4", "internal/plan/bind/query.go", "if !c.Hidden && s.belongs(i, table) {", "if s.belongs(i, table) {"},
	{"a topic is a table only when it is declared", "C2", "internal/plan/bind/inferred.go", "b.infer(p.Catalog, p.Database, []string{p.Name})", "b.infer(p.Catalog, p.Database, nil)"},
	{"topics are tables in the profile flink", "C2", "internal/plan/bind/inferred.go", "if b.session.Settings.Profile() != catalog.Confluent {", "if b == nil {"},
	{"SHOW TABLES leaves topics out", "C2", "internal/plan/bind/inferred.go", "names = append(names, b.inferred.names...)", ""},
	{"a topic that ALTER TABLE has changed is what it was", "C2", "internal/plan/bind/inferred.go", "if r, ok := b.session.Find(p); ok {\n\t\treturn r, true, nil", "if r, ok := b.session.Find(p); ok && b.inferring(catalog.Current{Catalog: p.Catalog, Database: p.Database}) == nil {\n\t\treturn r, true, nil"},
	{"DROP WATERMARK leaves the watermark", "C14 seed-000/21", "internal/plan/bind/alter.go", "\t\ta.d.Watermark = nil\n", ""},
	{"MODIFY WATERMARK leaves the watermark", "C12 C13 seed-000/20", "internal/plan/bind/alter.go", "if s.Watermark != nil {\n\t\ta.d.Watermark", "if s.Watermark != nil && a.d.Watermark == nil {\n\t\ta.d.Watermark"},
}

// progression are the rules of the progressive timeout and of what a restart does to it.
var progression = []mutation{
	{"the timeout grows half as fast", "C18 seed-000/23", "watermark/core.go",
		"return min(c.longest, c.timeout+max(0, begun-c.armedAt)/ProgressiveSlope)", "return min(c.longest, c.timeout+max(0, begun-c.armedAt)/(2*ProgressiveSlope))"},
	{"the timeout is that of the age at which it is asked for", "C18 seed-000/23", "watermark/core.go",
		"return now-since >= c.timeoutAt(since)", "return now-since >= c.timeoutAt(now)"},
	{"a restart leaves the timeout as long as it was", "seed-000/25", "watermark/state.go",
		"splits[i].quietSince, logs[i].since = c.armedAt, c.armedAt", "splits[i].quietSince, logs[i].since = c.armedAt, c.armedAt\n\t\tc.timeout = c.longest"},
	{"YDB's silence moves nothing before the next row", "ydb-6.3/1 ydb-6.4/2", "watermark/core.go", "if (turned || c.gap == 0) && c.combine() {", "if c.gap == 0 && c.combine() {"},
	{"YDB's rows are judged by the watermark of their partition", "ydb-6.5/2", "watermark/observe.go",
		"bound := int64(max(r.core.emitted, nullBound))", "bound := int64(max(r.split.frontier, nullBound))"},
	{"there is a floor at 1970", "flink-24/2", "watermark/frontier.go",
		"return Frontier(timefmt.Floor(c, microsPerMilli) + beyond)", "return Frontier(timefmt.Floor(max(c, 0), microsPerMilli) + beyond)"},
	{"before the first watermark the clock is one", "flink-3/5", "watermark/core.go", "emitted: Unset, beforeEnd", "emitted: Frontier(now - now%s.Tick), beforeEnd"},
	{"the least late row is the worst", "engine-5 flink-23/30", "watermark/split.go",
		"if w.Lateness > l.worst.Lateness {", "if w.Lateness < l.worst.Lateness || l.late == 1 {"},
	{"the newest value of the expression is the watermark", "C15 flink-2/3", "watermark/observe.go",
		"if greatest >= int64(s.frontier) && greatest != NoTime {", "if greatest != NoTime {"},
	{"the status of a split is not shown", "flink-23/17 flink-23/23", "watermark/snapshot.go", "Status:     status,", "Status:     Active,"},
	{"a split without rows that turns idle says that time has ended", "FLINK-8001 flink-23/13", "watermark/core.go",
		"c.logs[i].turn(s, now, Idle)", "c.logs[i].turn(s, now, Idle)\n\t\tif s.frontier == Unset {\n\t\t\ts.frontier = Final - Final%Frontier(c.tick)\n\t\t}"},
	{"a row is no reason to be active again", "FLINK-22881 flink-23/15", "watermark/core.go", "turn(s, now, s.awake())\n\tc.tree", "turn(s, now, Idle)\n\tc.tree"},
}

// waits are rules of those who wait for each other.
var waits = []mutation{
	{"a split that has ended holds the others until the next tick", "flink-23/3 flink-23/8", "internal/runtime/alignment.go",
		"break\n\t\t}\n\t}\n\ta.renew(now)", "break\n\t\t}\n\t}"},
	{"splits go on at ticks only", "C25 flink-23/6", "internal/runtime/alignment.go", "a.pause(s, x, now)\n\t}\n\ta.resume(now)", "a.pause(s, x, now)\n\t}"},
	{"rows that were fetched when a split had to wait are lost", "flink-4/5", "internal/runtime/worker.go", "s.fetched(t)\n\t\t}\n\t\tif s.aligned != nil {\n\t\t\ts.aligned.read(s, t.split, t.now)", "s.fetched(t)\n\t\t}\n\t\tif s.aligned != nil {\n\t\t\tif s.aligned.read(s, t.split, t.now); t.split.paused.Load() {\n\t\t\t\tw.read = w.read[:0]\n\t\t\t}"},
	{"a split too far ahead is read on when the least frontier falls", "", "internal/runtime/alignment.go", "if a.least < a.within {", "if a.least > a.within {"},
	{"an input that has ended holds the others", "flink-5.2/3", "watermark/merge.go", "m.frontier[input] = max(m.frontier[input], f)", "if f != Final {\n\t\tm.frontier[input] = max(m.frontier[input], f)\n\t}"},
	{"an input that wakes up behind is left out", "flink-5.2/4 flink-24/7", "watermark/merge.go", "if active {\n\t\tm.tree.set", "if active && m.frontier[input] >= m.combined {\n\t\tm.tree.set"},
}
