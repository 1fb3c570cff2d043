package check

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/plan"
)

const planned = `CREATE TABLE live (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen');
CREATE TABLE other (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen');
CREATE TABLE plain (a INT) WITH ('connector' = 'datagen');
CREATE TABLE file (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen', 'number-of-rows' = '9');
CREATE TABLE kept (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen', 'late-handling.mode' = 'filter');
CREATE TABLE timeless (a INT, ts TIMESTAMP(3)) WITH ('connector' = 'datagen');
CREATE TABLE handed (a INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH ('connector' = 'kafka', 'topic' = 'handed', 'properties.bootstrap.servers' = 'localhost:9092', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json', 'watermark.handover' = 'true');
CREATE VIEW seen AS SELECT a, ts FROM live;
`

// windows is a query that counts the rows of a table in windows of so many minutes.
func windows(table, minutes string) string {
	return "SELECT COUNT(*) FROM TUMBLE(TABLE " + table + ", DESCRIPTOR(ts), INTERVAL '" + minutes + "' MINUTE) GROUP BY window_start, window_end"
}

// near joins the rows of two tables that are within an hour.
func near(left, right string) string {
	return "SELECT l.a FROM " + left + " AS l JOIN " + right + " AS r ON l.a = r.a AND r.ts BETWEEN l.ts AND l.ts + INTERVAL '1' HOUR"
}

// sharing joins the rows of two tables that are in one window of so many minutes.
func sharing(left, right, minutes string) string {
	of := func(table string) string {
		return "TUMBLE(TABLE " + table + ", DESCRIPTOR(ts), INTERVAL '" + minutes + "' MINUTE)"
	}
	return "SELECT l.a FROM " + of(left) + " AS l JOIN " + of(right) + " AS r ON l.window_start = r.window_start AND l.window_end = r.window_end"
}

// hinted is a table with options.
func hinted(table string, options ...string) string {
	return table + " /*+ OPTIONS(" + strings.Join(options, ", ") + ") */"
}

const (
	drift   = "SET 'sql.tables.scan.watermark-alignment.max-allowed-drift' = "
	timeout = "SET 'sql.tables.scan.idle-timeout' = "
	flink   = "SET 'sql.profile' = 'flink'; "
	group   = "'scan.watermark.alignment.group' = 'g'"
	apart   = "'scan.watermark.alignment.max-drift' = '1 min'"
	often   = "'scan.watermark.alignment.update-interval' = '1 s'"
	idle    = "'scan.watermark.idle-timeout' = '1 min'"
)

// TestAdvised has for every lint of plans statements in which it is found, where and with which values, and others next to that in which it is not.
func TestAdvised(t *testing.T) {
	tested := map[string]int{}
	for _, c := range []struct{ lint, body, at, says string }{
		{plan.AdviceOverDrift, timeout + "'10 min'; " + windows("live", "10"), "live", "up to 10 min (SET 'sql.tables.scan.idle-timeout'), longer than the drift of 5 min (profile confluent)"},
		{plan.AdviceOverDrift, drift + "'1 min'; " + windows("live", "10"), "live", "up to 5 min (profile confluent), longer than the drift of 1 min (SET "},
		{plan.AdviceOverDrift, timeout + "'0'; " + windows("live", "10"), "live", "no idle timeout (SET "},
		{plan.AdviceOverDrift, windows(hinted("live", "'scan.watermark.idle-timeout' = '6 min'"), "10"), "live", "(OPTIONS 'scan.watermark.idle-timeout')"},
		{plan.AdviceOverDrift, timeout + "'10 min'; SELECT a FROM seen", "SELECT a FROM seen", "live"},
		{plan.AdviceOverDrift, timeout + "'5 min'; " + windows("live", "10"), "", ""},
		{plan.AdviceOverDrift, timeout + "'10 min'; " + drift + "'0'; " + windows("live", "10"), "", ""},
		{plan.AdviceOverDrift, timeout + "'10 min'; " + windows("file", "10"), "", ""},
		{plan.AdviceGroup, windows(hinted("live", group, apart), "10"), "live", "takes no group"},
		{plan.AdviceGroup, flink + windows(hinted("live", group, apart), "10"), "", ""},
		{plan.AdviceGroup, windows("live", "10"), "", ""},
		{plan.AdviceIdleOption, "SELECT a FROM " + hinted("plain", idle), "plain", "'scan.watermark.idle-timeout' has no effect: the table has no watermark"},
		{plan.AdviceIdleOption, windows(hinted("file", group, apart), "10"), "file", "the tables of the statement are bounded"},
		{plan.AdviceIdleOption, windows(hinted("live", group, apart, often), "10"), "live", "as soon as it may"},
		{plan.AdviceIdleOption, windows(hinted("live", group, "'scan.watermark.alignment.max-drift' = '0'"), "10"), "live", "no alignment"},
		{plan.AdviceIdleOption, windows(hinted("live", group, apart, "'scan.watermark.alignment.update-interval' = '0'"), "10"), "live", "no alignment"},
		{plan.AdviceIdleOption, windows(hinted("live", group, apart, idle), "10"), "", ""},
		{plan.AdviceIdleOption, "SELECT a FROM " + hinted("kept", "'late-handling.capture.target' = 'x'"), "kept", "'late-handling.capture.target' has no effect: no late rows are kept"},
		{plan.AdviceIdleOption, "SELECT a FROM " + hinted("kept", "'late-handling.capture' = 'durable'", "'late-handling.capture.target' = 'x'"), "", ""},
		{plan.AdviceOverDrift, windows("handed", "10"), "", ""},
		{plan.AdviceNoTimeout, flink + windows("handed", "10"), "", ""},
		{plan.AdviceClock, windows(hinted("file", idle), "10"), "file", "falls idle by the clock (OPTIONS 'scan.watermark.idle-timeout')"},
		{plan.AdviceClock, windows(hinted("file", "'scan.watermark.emit.strategy' = 'on-periodic'"), "10"), "file", "sent by the clock (OPTIONS 'scan.watermark.emit.strategy')"},
		{plan.AdviceClock, timeout + "'1 s'; " + windows("file", "10"), "", ""},
		{plan.AdviceClock, windows(hinted("live", idle), "10"), "", ""},
		{plan.AdviceTimeless, "SELECT a FROM live WHERE a > 1", "live", "alignment by 5 min (profile confluent)"},
		{plan.AdviceTimeless, "SELECT a, COUNT(*) FROM live GROUP BY a", "live", "backlog"},
		{plan.AdviceTimeless, "SELECT live.a FROM live JOIN plain ON live.a = plain.a", "live", "backlog"},
		{plan.AdviceTimeless, windows("live", "10"), "", ""},
		{plan.AdviceTimeless, "SELECT a, SUM(a) OVER (ORDER BY ts) FROM live", "", ""},
		{plan.AdviceTimeless, "SELECT a, CURRENT_WATERMARK(ts) FROM live", "", ""},
		{plan.AdviceTimeless, "SELECT a FROM live ORDER BY ts", "", ""},
		{plan.AdviceTimeless, "SELECT live.a FROM live, other WHERE live.ts BETWEEN other.ts AND other.ts + INTERVAL '1' HOUR", "", ""},
		{plan.AdviceTimeless, "SELECT * FROM live MATCH_RECOGNIZE (ORDER BY ts MEASURES x.a AS a PATTERN (x) DEFINE x AS x.a > 1)", "", ""},
		{plan.AdviceTimeless, "SELECT a FROM kept", "", ""},
		{plan.AdviceTimeless, drift + "'0'; SELECT a FROM live", "", ""},
		{plan.AdviceTimeless, flink + "SELECT a FROM live", "", ""},
		{plan.AdviceTimeless, "SELECT a FROM file", "", ""},
		{plan.AdviceUnaligned, drift + "'0'; " + windows("live", "10"), "live", "drift 0, SET 'sql.tables.scan.watermark-alignment.max-allowed-drift'"},
		{plan.AdviceUnaligned, flink + windows("live", "10"), "live", "drift 0, profile flink"},
		{plan.AdviceUnaligned, drift + "'0'; SELECT a FROM live", "", ""},
		{plan.AdviceUnaligned, drift + "'0'; " + windows("file", "10"), "", ""},
		{plan.AdviceUnaligned, windows("live", "10"), "", ""},
		{plan.AdviceUnaligned, windows(hinted("live", group, "'scan.watermark.alignment.max-drift' = '0'"), "10"), "", ""},
		{plan.AdviceUnaligned, windows(hinted("live", "'watermark.generator' = 'lookahead'"), "10"), "", ""},
		{plan.AdviceShortWindow, windows("live", "1"), "live", "windows of 1 min are shorter than the drift of 5 min (profile confluent)"},
		{plan.AdviceShortWindow, "SELECT COUNT(*) FROM SESSION(TABLE live, DESCRIPTOR(ts), INTERVAL '2' MINUTE) GROUP BY window_start, window_end", "live", "windows of 2 min"},
		{plan.AdviceShortWindow, sharing("live", "live", "1"), "live", "windows of 1 min"},
		{plan.AdviceShortWindow, windows("live", "5"), "", ""},
		{plan.AdviceShortWindow, windows("file", "1"), "", ""},
		{plan.AdviceShortWindow, drift + "'1 min'; " + windows("live", "1"), "", ""},
		{plan.AdviceUntimedJoin, near("live", "timeless"), "timeless", "bounds ts and ts of a join against each other, and ts is no time attribute here"},
		{plan.AdviceUntimedJoin, near("timeless", "live"), "timeless", "kept for ever"},
		{plan.AdviceUntimedJoin, near("live", "other"), "", ""},
		{plan.AdviceUntimedJoin, near("file", "file"), "", ""},
		{plan.AdviceUntimedJoin, "SELECT l.a FROM live l JOIN timeless r ON l.ts > r.ts", "", ""},
		{plan.AdviceUntimedJoin, "SELECT l.a FROM live l JOIN other r ON l.ts >= r.ts", "live", "one way only, by (ts >= ts)"},
		{plan.AdviceUntimedJoin, "SELECT l.a FROM live l JOIN other r ON l.ts BETWEEN r.ts AND r.ts + l.a * INTERVAL '1' SECOND", "live", "(ts <= (ts + (a * INTERVAL '1' SECOND))), which is no bound by a constant interval"},
		{plan.AdviceUntimedJoin, "SELECT l.a FROM live l JOIN other r ON TIMESTAMPDIFF(SECOND, l.ts, r.ts) < 5", "live", "in (TIMESTAMPDIFF('SECOND', ts, ts) < 5)"},
		{plan.AdviceUntimedJoin, "SELECT l.a FROM live l JOIN other r ON l.ts BETWEEN TIMESTAMPADD(MINUTE, -5, r.ts) AND r.ts", "", ""},
		{plan.AdviceUntimedJoin, "SELECT l.a FROM live l JOIN other r ON l.ts BETWEEN r.ts AND r.ts + INTERVAL '1' MONTH", "", ""},
		{plan.AdviceUntimedJoin, "SELECT l.a FROM live l JOIN other r ON l.a = r.a", "", ""},
		{plan.AdviceNoTimeout, flink + windows("live", "10"), "live", "no idle timeout (profile flink)"},
		{plan.AdviceNoTimeout, windows("live", "10"), "", ""},
		{plan.AdviceNoTimeout, flink + timeout + "'1 min'; " + windows("live", "10"), "", ""},
		{plan.AdviceNoTimeout, flink + windows("file", "10"), "", ""},
		{plan.AdviceDimension, windows(hinted("live", "'watermark.dimension' = 'a'"), "10"), "live", "the least over the values of a, and there is no timeout for all of them (default)"},
		{plan.AdviceDimension, windows(hinted("live", "'watermark.dimension' = 'a', 'watermark.dimension.timeout' = '3 = 1 min'"), "10"), "live", "no timeout for all of them (OPTIONS "},
		{plan.AdviceDimension, windows(hinted("live", "'watermark.dimension' = 'a', 'watermark.dimension.timeout' = '1 min'"), "10"), "", ""},
		{plan.AdviceDimension, windows(hinted("file", "'watermark.dimension' = 'a'"), "10"), "", ""},
		{plan.AdviceLateUnread, "SELECT a FROM kept", "kept", "rows that are late"},
		{plan.AdviceLateUnread, "SELECT a FROM " + hinted("live", "'late-handling.mode' = 'filter'"), "live", "OPTIONS 'late-handling.mode'"},
		{plan.AdviceLateUnread, "SELECT a FROM kept; SELECT a FROM `kept$late`", "", ""},
		{plan.AdviceLateUnread, "SELECT a FROM kept UNION ALL SELECT a FROM `kept$late`", "", ""},
		{plan.AdviceLateUnread, "SELECT a FROM " + hinted("live", "'late-handling.mode' = 'drop'"), "", ""},
		{plan.AdviceLateUnread, "-- tidemark:ignore late-rows-unread\nSELECT a FROM kept", "", ""},
	} {
		var got []Finding
		for _, f := range find(t, planned+c.body) {
			if f.Severity == Error {
				t.Fatalf("%s\n%s", c.body, f.Render())
			}
			if f.Code == c.lint {
				got = append(got, f)
			}
		}
		switch {
		case c.at == "":
			if got != nil {
				t.Errorf("%s\nis found in\n%s", got[0].Render(), c.body)
			}
		case len(got) != 1:
			t.Errorf("%s is found %d times in\n%s", c.lint, len(got), c.body)
		case got[0].Text.Slice(got[0].Span) != c.at || !strings.Contains(got[0].Message, c.says) || got[0].Hint == "":
			t.Errorf("in\n%s\nis found\n%s\nwant %q at %s", c.body, got[0].Render(), c.says, c.at)
		default:
			tested[c.lint]++
		}
	}
	for _, l := range Lints {
		if isAdvised(l) && tested[l.Name] == 0 {
			t.Errorf("%s is not tested", l.Name)
		}
	}
}

// isAdvised tells the lints of plans from those of trees.
func isAdvised(l Lint) bool {
	return l.find != nil && reflect.ValueOf(l.find).Pointer() == reflect.ValueOf(advised).Pointer()
}

// TestWarnings: what a statement tells when it starts is what is a warning here.
func TestWarnings(t *testing.T) {
	for _, l := range Lints {
		if isAdvised(l) && (plan.Advice{Name: l.Name}).Warns() != (l.Severity == Warning) {
			t.Errorf("%s is a %s here, and planning thinks otherwise", l.Name, l.Severity)
		}
	}
}

// TestShortWindowsAskForWhatIsNotSo: a table whose idle timeout is as short as its windows is not told to have such a one.
func TestShortWindowsAskForWhatIsNotSo(t *testing.T) {
	for set, asks := range map[string]bool{"": true, timeout + "'2 min'; ": true, timeout + "'0'; ": true, timeout + "'1 min'; ": false, timeout + "'5 s'; ": false} {
		found := false
		for _, f := range find(t, planned+set+windows("live", "1")) {
			if f.Code != plan.AdviceShortWindow {
				continue
			}
			found = true
			if got := strings.Contains(f.Hint, "idle-timeout"); got != asks || !strings.Contains(f.Hint, "max-allowed-drift' = '1 min'") {
				t.Errorf("with %q it asks for %q", set, f.Hint)
			}
		}
		if !found {
			t.Errorf("with %q nothing is found", set)
		}
	}
}
