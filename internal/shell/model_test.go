package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

const noRows = "CREATE TABLE live (k STRING, n STRING) WITH ('connector' = 'endless');<enter>"

// TestTyping edits statements of several lines and runs them.
func TestTyping(t *testing.T) {
	term := newTerminal(t, "")
	term.shows("tidemark> ▏")
	term.keys("selet 1<left><left><left>c<end> AS a,<enter>  'é界' AS b;")
	term.shows(`
tidemark> select 1 AS a,
       ->   'é界' AS b;▏`)
	term.keys("<up><ctrl+a>")
	if got := term.model.editor.cursor; got != 0 {
		t.Errorf("the cursor is at %d", got)
	}
	term.keys("<end><down><enter>")
	want := `tidemark> select 1 AS a,
       ->   'é界' AS b;
┌───┬─────┐
│ a │ b   │
├───┼─────┤
│ 1 │ é界 │
└───┴─────┘
1 rows out`
	if got := term.said(); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	term.shows("tidemark> ▏")
}

// TestClear empties the screen, and not only the lines of the input.
func TestClear(t *testing.T) {
	for _, keys := range []string{"CLEAR;<enter>", "\\c<enter>", "<ctrl+l>"} {
		term := newTerminal(t, "")
		term.keys(keys)
		for term.open > 0 {
			term.send(<-term.msgs)
		}
		if term.raw != eraseScreen {
			t.Errorf("%s writes %q", keys, term.raw)
		}
		term.shows("tidemark> ▏")
	}
}

// TestFolding: the live table folds a changelog, a key shows the changes, and Ctrl-C stops the query and not the shell.
func TestFolding(t *testing.T) {
	term := newTerminal(t, "")
	term.keys(noRows + "SELECT k, n FROM live;<enter>")
	term.running()
	term.change("+I a 1", "+I b 1", "+I b 1")
	term.change("-U a 1", "+U a 2", "-D b 1", "+I c 1")
	term.shows(`
┌───┬───┐
│ k │ n │
├───┼───┤
│ a │ 2 │
│ b │ 1 │
│ c │ 1 │
└───┴───┘
running · rows 1 to 3 of 3 · Ctrl-C stops · T shows the cha…`)
	term.keys("t")
	term.shows(`
┌────┬───┬───┐
│ op │ k │ n │
├────┼───┼───┤
│ +I │ a │ 1 │
│ +I │ b │ 1 │
│ +I │ b │ 1 │
│ -U │ a │ 1 │
│ +U │ a │ 2 │
│ -D │ b │ 1 │
│ +I │ c │ 1 │
└────┴───┴───┘
running · changes 1 to 7 of 7 · Ctrl-C stops · T shows the …`)
	term.keys("t<ctrl+c>")
	if got := term.said(); !strings.HasSuffix(got, "│ c │ 1 │\n└───┴───┘\n0 rows out\nstopped") {
		t.Errorf("it says\n%s", got)
	}
	term.keys("SELECT 1 AS x;<enter>")
	if got := term.said(); !strings.Contains(got, "│ x │") {
		t.Errorf("after Ctrl-C it says\n%s", got)
	}
}

// TestGroups: the answer of an aggregation that updates is a row for each key.
func TestGroups(t *testing.T) {
	term := newTerminal(t, "")
	term.keys("SELECT k, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a'), ('a')) AS t (k) GROUP BY k;<enter>")
	if got := term.said(); !strings.Contains(got, "│ a │ 3 │\n") || !strings.Contains(got, "│ b │ 1 │\n") || strings.Contains(got, "│ 2 │") {
		t.Errorf("it says\n%s", got)
	}
}

// TestTimeout ends a query that gives nothing within 'client.results-timeout'.
func TestTimeout(t *testing.T) {
	term := newTerminal(t, "")
	var limit time.Duration
	term.model.shell.options.After = func(d time.Duration) <-chan time.Time {
		limit = d
		passed := make(chan time.Time, 1)
		passed <- time.Time{}
		return passed
	}
	term.keys("SET 'client.results-timeout' = '5000';<enter>" + noRows)
	term.said()
	term.keys("SELECT k, n FROM live;<enter>")
	if got := term.said(); !strings.HasSuffix(got, "error: no row within 'client.results-timeout'") {
		t.Errorf("it says\n%s", got)
	}
	if limit != 5*time.Second {
		t.Errorf("waits %s", limit)
	}
}

// TestPlainText: 'client.output-format' decides how results begin.
func TestPlainText(t *testing.T) {
	term := newTerminal(t, "")
	term.keys("SET 'client.output-format' = 'plain-text';<enter>")
	term.said()
	term.keys("SELECT 'a' AS k;<enter>")
	if got := term.said(); !strings.Contains(got, "│ op │ k │\n├────┼───┤\n│ +I │ a │") {
		t.Errorf("it says\n%s", got)
	}
	term.keys(`\t<enter>`)
	term.said()
	term.keys("SELECT 'a' AS k;<enter>")
	if got := term.said(); strings.Contains(got, "op") {
		t.Errorf("it says\n%s", got)
	}
}

// TestPaging looks at a result that is larger than the screen.
func TestPaging(t *testing.T) {
	term := newTerminal(t, "")
	var rows []string
	for c := 'a'; c <= 'z'; c++ {
		rows = append(rows, "('"+string(c)+"')")
	}
	term.keys("SELECT k FROM (VALUES " + strings.Join(rows, ", ") + ") AS t (k);<enter>")
	term.until(func() bool { return term.model.state == viewing })
	status := func() string {
		lines := strings.Split(term.screen(), "\n")
		return lines[len(lines)-1]
	}
	for _, c := range []struct{ keys, want string }{
		{"", "rows 1 to 8 of 26"}, {"<pgdown>", "rows 9 to 16 of 26"}, {"<down>", "rows 10 to 17 of 26"}, {"<up><up>", "rows 8 to 15 of 26"},
		{"<end>", "rows 19 to 26 of 26"}, {"<down>", "rows 19 to 26 of 26"}, {"<pgup>", "rows 11 to 18 of 26"}, {"<home>", "rows 1 to 8 of 26"}, {"<pgup>", "rows 1 to 8 of 26"},
	} {
		if term.keys(c.keys); !strings.Contains(status(), c.want) {
			t.Errorf("after %s: %s, want %s", c.keys, status(), c.want)
		}
	}
	term.keys("q")
	if got := term.said(); !strings.Contains(got, "│ a │") || strings.Contains(got, "│ z │") || !strings.HasSuffix(got, "26 rows out") {
		t.Errorf("it says\n%s", got)
	}
	term.shows("tidemark> ▏")
}

// TestErrors stand below what was typed, with a caret, and what is left of the input is given up.
func TestErrors(t *testing.T) {
	term := newTerminal(t, "")
	for _, c := range []struct{ input, want string }{
		{"SELECT 1 AS x; SELECT y; SELECT 3 AS z;", " 1 | SELECT 1 AS x; SELECT y; SELECT 3 AS z;\n   |                       ^\n"},
		{"SELEC 1;", "   | ^^^^^\n"},
		{"SET 'client.output-fromat' = 'x';", "did you mean 'client.output-format'?"},
		{"SET 'client.output-format' = 'x';", "   |                              ^^^\n"},
		{"SET 'client.results-timeout' = 'soon';", "write milliseconds"},
		{`\z`, `there is no command \z`},
		{"SOURCE 'none.sql';", "none.sql"},
		{"SOURCE;", "SOURCE needs a file"},
		{"HELP uper;", "did you mean 'UPPER'?"},
		{"SET 'no.such' = 'x';", "no.such"},
	} {
		term.keys(c.input + "<enter>")
		if got := term.said(); !strings.Contains(got, c.want) || strings.Contains(got, "│ z │") {
			t.Errorf("%s\nsays\n%s\nwant\n%s", c.input, got, c.want)
		}
		term.shows("tidemark> ▏")
	}
}

// TestHistory finds inputs again, also in the next session.
func TestHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "tidemark", "history")
	term := newTerminal(t, file)
	term.keys("SELECT 1 AS a;<enter>")
	term.said()
	term.keys("SELECT 2<enter>AS b;<enter>")
	term.said()
	term.keys("SELECT 2<enter>AS b;<enter>")
	term.said()

	term = newTerminal(t, file)
	term.keys("draft<up>")
	term.shows("tidemark> SELECT 2\n       -> AS b;▏")
	term.keys("<ctrl+p>")
	term.shows("tidemark> SELECT 1 AS a;▏")
	term.keys("<ctrl+p>")
	term.shows("tidemark> SELECT 1 AS a;▏")
	term.keys("<down><down><down>")
	term.shows("tidemark> draft▏")
	term.keys("<ctrl+r>as A")
	term.shows("search 'as A▏': SELECT 1 AS a;")
	term.keys("<backspace>")
	term.shows("search 'as ▏': SELECT 2\nAS b;")
	term.keys("<ctrl+g>")
	term.shows("tidemark> draft▏")
	term.keys("<ctrl+r>select<ctrl+r><right>")
	term.shows("tidemark> SELECT 1 AS a;▏")
	term.keys("<ctrl+c>HISTORY 2;<enter>")
	if got := term.said(); !strings.Contains(got, "    2  SELECT 2\n       AS b;\n") || strings.Contains(got, "  1  ") {
		t.Errorf("it says\n%s", got)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history has %v, %v", info.Mode(), err)
	}
}

// TestCompletionKeys completes with Tab.
func TestCompletionKeys(t *testing.T) {
	term := newTerminal(t, "")
	term.keys("CREATE TABLE rooms (room STRING, rooftop STRING, heat DOUBLE) WITH ('connector' = 'datagen');<enter>")
	term.said()
	term.keys("sel<tab>")
	term.shows("tidemark> select▏")
	term.keys(" hea<tab>")
	term.shows("tidemark> select heat▏")
	term.keys("<backspace> from roo<tab>")
	term.shows("tidemark> select hea from rooms▏")
	term.keys("<alt+b><alt+b><left><tab>")
	term.shows("tidemark> select heat▏ from rooms")
	term.keys(", rooms.roo<tab>")
	term.shows("tidemark> select heat, rooms.roo▏ from rooms\n rooftop  room")
	term.keys("<tab>")
	term.shows("tidemark> select heat, rooms.rooftop▏ from rooms\n[rooftop] room")
	term.keys("<tab>")
	term.shows("tidemark> select heat, rooms.room▏ from rooms\n rooftop [room]")
	term.keys("<shift+tab>x")
	term.shows("tidemark> select heat, rooms.rooftopx▏ from rooms")
	term.keys("<ctrl+c>SET 'sql.prof<tab>")
	term.shows("tidemark> SET 'sql.profile'▏")
}

// TestLeaving: Ctrl-D on an empty line, QUIT and its other spellings.
func TestLeaving(t *testing.T) {
	for _, keys := range []string{"<ctrl+d>", "QUIT;<enter>", "exit<enter>", `\q<enter>`, "x<backspace><ctrl+d>"} {
		term := newTerminal(t, "")
		term.keys(keys)
		term.said()
		if !term.quit {
			t.Errorf("%s does not leave", keys)
		}
	}
	term := newTerminal(t, "")
	term.keys("ab<left><ctrl+d>")
	term.shows("tidemark> a▏")
	term.keys("<ctrl+c>")
	if got := term.said(); got != "tidemark> a^C" || term.quit {
		t.Errorf("Ctrl-C says %q", got)
	}
}

// TestSource runs a file, and one that reads itself ends.
func TestSource(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, body := range map[string]string{"a.sql": "SELECT 1 AS fromfile;\nHELP upper;\nSELECT 2 AS behind;", "loop.sql": "SOURCE 'loop.sql'; SOURCE 'loop.sql';"} {
		if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	term := newTerminal(t, "")
	term.keys("SOURCE 'a.sql';<enter>")
	got := term.said()
	one, help, two := strings.Index(got, "fromfile │"), strings.Index(got, "UPPER("), strings.Index(got, "behind │")
	if one < 0 || help < one || two < help {
		t.Errorf("it says\n%s", got)
	}
	term.keys(`\i loop.sql<enter>`)
	if got := term.said(); !strings.Contains(got, "does a file read itself?") {
		t.Errorf("it says\n%s", got)
	}
}

// TestInsert shows what became of an INSERT.
func TestInsert(t *testing.T) {
	term := newTerminal(t, "")
	term.keys("CREATE TABLE sink (a STRING) WITH ('connector' = 'blackhole'); INSERT INTO sink VALUES ('x'), ('y');<enter>")
	if got := term.said(); !strings.HasSuffix(got, "done\n2 rows out") {
		t.Errorf("it says\n%s", got)
	}
}

// TestPasting puts text in and runs nothing before Enter.
func TestPasting(t *testing.T) {
	term := newTerminal(t, "")
	term.send(tea.PasteMsg{Content: "SELECT 1;\r\nSELECT\t2;\x1b\n"})
	term.shows("tidemark> SELECT 1;\n       -> SELECT  2;\n       -> ▏")
}

// TestTypingAhead keeps what is typed while a statement is executed.
func TestTypingAhead(t *testing.T) {
	term := newTerminal(t, "")
	term.keys("CREATE VIEW v AS SELECT 1 AS a;<enter>DROP VIEW v;<enter>SHOW TABLES")
	term.said()
	term.shows("tidemark> SHOW TABLES▏")
}

// TestLongLines goes on in the next line of the screen.
func TestLongLines(t *testing.T) {
	term := newTerminal(t, "")
	term.keys("SELECT 'aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee', 1")
	term.shows("tidemark> SELECT 'aaaaaaaaaabbbbbbbbbbccccccccccddddddddddee\neeeeeeee', 1▏")
}

// TestTicksEndWithTheirQuery: a tick or a change that comes when the next query runs already asks for nothing; a query has one of each at a time.
func TestTicksEndWithTheirQuery(t *testing.T) {
	term := newTerminal(t, "")
	asked := 0
	term.model.tick = func(tickMsg) tea.Cmd { asked++; return nil }
	term.keys(noRows + "SELECT k, n FROM live;<enter>")
	term.running()
	tick, change := tickMsg{term.model.job}, changedMsg{term.model.results}
	term.send(tick)
	if asked != 2 {
		t.Errorf("%d ticks asked for, want the first and one more", asked)
	}
	term.keys("<ctrl+c>")
	term.until(func() bool { return term.model.state == editing })
	term.keys("SELECT k, n FROM live;<enter>")
	term.running()
	asked = 0
	if cmd := term.model.update(tick); cmd != nil || asked != 0 {
		t.Errorf("a late tick asks for another: %d", asked)
	}
	if term.model.update(change) != nil {
		t.Error("a late change waits for another")
	}
	term.keys("<ctrl+c>")
	term.until(func() bool { return term.model.state == editing })
}

// TestTypingYQL: a streaming query is whole behind its END DO, whatever semicolons are in it.
func TestTypingYQL(t *testing.T) {
	term := newTerminal(t, "")
	term.keys("CREATE TABLE s (w STRING) WITH ('connector' = 'blackhole');<enter>")
	term.said()
	term.keys("CREATE STREAMING QUERY q AS DO BEGIN<enter>")
	term.keys("$x = 1;<enter>")
	term.shows(`
tidemark> CREATE STREAMING QUERY q AS DO BEGIN
       -> $x = 1;
       -> ▏`)
	term.keys("INSERT INTO s SELECT 'a' FROM s; END DO;<enter>")
	if got := term.said(); !strings.Contains(got, "cannot be read") {
		t.Errorf("it says\n%s", got)
	}
	term.keys("SET 'sql.language' = 'yql';<enter>$a = \"it's;\"; SELECT $a AS a;<enter>")
	if got := term.said(); !strings.Contains(got, "it's;") {
		t.Errorf("it says\n%s", got)
	}
	term.shows("tidemark> ▏")
}
