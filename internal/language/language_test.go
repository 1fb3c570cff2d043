package language

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// shown are the pieces of a text, each with the letter of its language and a | where it ends by itself.
func shown(body string, pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		mark := "S"
		if p.YQL {
			mark = "Y"
		}
		b.WriteString(mark + "[" + body[p.Span.Start:p.Span.End] + "]")
		if p.Ended {
			b.WriteString("|")
		}
	}
	return b.String()
}

// TestCut finds the statements of texts and whose they are.
func TestCut(t *testing.T) {
	const query = "CREATE STREAMING QUERY q AS DO BEGIN $a = 1; INSERT INTO o SELECT ';' FROM i; END DO"
	for _, c := range []struct {
		name, body string
		as         Language
		want       string
	}{
		{"nothing", " -- a;\n/* b; */ ;; ", Auto, ""},
		{"one of SQL", "SELECT 1", Auto, "S[SELECT 1]"},
		{"empty ones", ";; SELECT 1 ;; -- x\n;SELECT 2;", Auto, "S[SELECT 1]|S[SELECT 2]|"},
		{"quotes of SQL", `SELECT 'a;''b;\'; SELECT ` + "`x;`;", Auto, `S[SELECT 'a;''b;\']|S[SELECT ` + "`x;`]|"},
		{"a statement set", "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END; SELECT 1", Auto,
			"S[EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END]|S[SELECT 1]"},
		{"a streaming query between SQL", "CREATE TABLE t (a INT);\n" + query + ";\nSELECT 1;", Auto, "S[CREATE TABLE t (a INT)]|Y[" + query + "]|S[SELECT 1]|"},
		{"a streaming query without a semicolon", query + "\nSELECT 1;", Auto, "Y[" + query + "]|S[SELECT 1]|"},
		{"a streaming query that is not closed", "CREATE STREAMING QUERY q AS DO BEGIN SELECT 1; SELECT 2;", Auto, "Y[CREATE STREAMING QUERY q AS DO BEGIN SELECT 1; SELECT 2;]"},
		{"CASE within", "CREATE STREAMING QUERY q AS DO BEGIN SELECT CASE WHEN a THEN 1 END; END DO; SELECT 2", Auto,
			"Y[CREATE STREAMING QUERY q AS DO BEGIN SELECT CASE WHEN a THEN 1 END; END DO]|S[SELECT 2]"},
		{"ALTER and DROP", "ALTER STREAMING QUERY q SET (RUN = FALSE); DROP STREAMING QUERY IF EXISTS q; SELECT 1", Auto,
			"Y[ALTER STREAMING QUERY q SET (RUN = FALSE)]|Y[DROP STREAMING QUERY IF EXISTS q]|S[SELECT 1]"},
		{"topics", "CREATE TOPIC a; DROP TOPIC a", Auto, "Y[CREATE TOPIC a]|Y[DROP TOPIC a]"},
		{"explained", "EXPLAIN " + query + "; EXPLAIN SELECT 1", Auto, "Y[EXPLAIN " + query + "]|S[EXPLAIN SELECT 1]"},
		{"YQL all around", `$x = "a;\";'"; SELECT $x`, Auto, `Y[$x = "a;\";'"]|Y[SELECT $x]`},
		{"YQL before it is known", `SELECT "it's;"; UPSERT INTO t SELECT 1; SELECT 'it\'s;'`, Auto, `Y[SELECT "it's;"]|Y[UPSERT INTO t SELECT 1]|Y[SELECT 'it\'s;']`},
		{"raw strings", "PRAGMA a = '1'; SELECT @@;'\"@@@@;@@; SELECT 2", Auto, "Y[PRAGMA a = '1']|Y[SELECT @@;'\"@@@@;@@]|Y[SELECT 2]"},
		{"lambdas", "$f = ($x) -> { $y = $x; RETURN $y; }; SELECT 1", Auto, "Y[$f = ($x) -> { $y = $x; RETURN $y; }]|Y[SELECT 1]"},
		{"what is of SQL alone in YQL", "SET 'a' = 'b'; $x = 1; SHOW TABLES; SELECT 1", Auto, "S[SET 'a' = 'b']|Y[$x = 1]|S[SHOW TABLES]|Y[SELECT 1]"},
		{"tables of both kinds", "UPSERT INTO t SELECT 1; CREATE TABLE a (x INT) WITH ('connector' = 'print'); CREATE TABLE b (x Int32, PRIMARY KEY (x)) WITH (AUTO = 1)", Auto,
			"Y[UPSERT INTO t SELECT 1]|S[CREATE TABLE a (x INT) WITH ('connector' = 'print')]|Y[CREATE TABLE b (x Int32, PRIMARY KEY (x)) WITH (AUTO = 1)]"},
		{"SET of the language", "SELECT 1; SET 'sql.language' = 'yql'; SELECT 2; SET 'sql.language' = 'sql'; SELECT 3", Auto,
			"S[SELECT 1]|S[SET 'sql.language' = 'yql']|Y[SELECT 2]|S[SET 'sql.language' = 'sql']|S[SELECT 3]"},
		{"named YQL", "SELECT 1", YQL, "Y[SELECT 1]"},
		{"named SQL", "UPSERT INTO t SELECT 1; " + query, SQL, "Y[UPSERT INTO t SELECT 1]|Y[" + query + "]|"},
		{"named SQL, and both", "UPSERT INTO t SELECT 1; SELECT 1", SQL, "Y[UPSERT INTO t SELECT 1]|S[SELECT 1]"},
		{"letters that are no words", "SELECT é;é$x = 1; ", Auto, "S[SELECT é]|S[é$x = 1]|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(c.body, Cut(source.Text{Body: c.body}, c.as)); got != c.want {
				t.Errorf("\ngot:  %s\nwant: %s", got, c.want)
			}
		})
	}
}

// TestFileName takes the language from the ending of a file.
func TestFileName(t *testing.T) {
	for name, want := range map[string]bool{"a.yql": true, "A.YQL": true, "a.sql": false, "yql": false} {
		if p := Cut(source.Text{Name: name, Body: "SELECT 1"}, Auto); p[0].YQL != want {
			t.Errorf("%s: YQL %t, want %t", name, p[0].YQL, want)
		}
	}
}

// TestParseMixed reads both languages from one text, each where it stands.
func TestParseMixed(t *testing.T) {
	body := "CREATE TABLE ä (a STRING);\n" +
		"CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO o SELECT \"x;\" FROM ä; END DO\n" +
		"SELECT 1;\n" +
		"DROP STREAMING QUERY q; DROP STREAMING QUERY p"
	all, err := Parse(source.Text{Body: body}, Auto)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range all {
		got = append(got, body[s.Span().Start:s.Span().End])
	}
	want := []string{"CREATE TABLE ä (a STRING)", strings.TrimSpace(strings.SplitAfter(body, "\n")[1]), "SELECT 1", "DROP STREAMING QUERY q", "DROP STREAMING QUERY p"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, ok := all[1].(*YQLStatement); !ok {
		t.Errorf("the second is a %T", all[1])
	}
}

// TestFaultsOfBoth tells of the fault that stands first, in the text as it is.
func TestFaultsOfBoth(t *testing.T) {
	body := "SELECT 1;\nCREATE STREAMING QUERY AS DO BEGIN SELECT 1; END DO;\nSELEC 2;"
	text := source.Text{Name: "x", Body: body}
	_, err := Parse(text, Auto)
	var found *source.Error
	if !errors.As(err, &found) || found.Text != text || !strings.Contains(err.Error(), "x:2:") {
		t.Errorf("got %v", err)
	}
	all, faults := Piecewise(text, Auto)
	if len(all) != 1 || len(faults) != 2 || faults[0].Span.Start >= faults[1].Span.Start {
		t.Errorf("%d statements and faults %v", len(all), faults)
	}
}

// TestBefore gives a statement of YQL those that stand before it.
func TestBefore(t *testing.T) {
	all, err := Parse(source.Text{Body: "$a = 1; SHOW TABLES; $b = 2; SELECT $a + $b;"}, Auto)
	if err != nil {
		t.Fatal(err)
	}
	last, ok := all[3].(*YQLStatement)
	if !ok || len(last.Before) != 2 || last.Defines() || !all[0].(*YQLStatement).Defines() {
		t.Errorf("got %#v", all[3])
	}
}

// TestAlone gives a statement with what it sees, and where that stands.
func TestAlone(t *testing.T) {
	text := source.Text{Body: "$a = 1;\n SHOW TABLES;\n$b = ';' ;SELECT $a;"}
	all, err := Parse(text, Auto)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"$a = 1", "SHOW TABLES", "$a = 1;\n             \n$b = ';'", "$a = 1;\n             \n$b = ';'; SELECT $a"} {
		body, from := Alone(text, all[i])
		if strings.TrimLeft(body, " ") != want {
			t.Errorf("%d is %q, want %q", i, body, want)
		}
		if from+len(body) != all[i].Span().End {
			t.Errorf("%d begins at %d", i, from)
		}
	}
}

// TestComplete is about texts that are being written.
func TestComplete(t *testing.T) {
	for body, want := range map[string]bool{
		"":                                      true,
		"-- a":                                  true,
		"/* a":                                  false,
		"SELECT 1":                              false,
		"SELECT 1;":                             true,
		"SELECT 1; SELECT":                      false,
		"SELECT 1; /* x":                        false,
		"CREATE STREAMING QUERY q AS DO BEGIN;": false,
		"CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO a SELECT 1;": false,
		"CREATE STREAMING QUERY q AS DO BEGIN SELECT 1; END DO":        true,
		"CREATE STREAMING QUERY q AS DO BEGIN SELECT 1; END DO;":       true,
		"$f = ($x) -> { RETURN $x;":                                    false,
	} {
		if got := Complete(source.Text{Body: body}, Auto); got != want {
			t.Errorf("%q: %t, want %t", body, got, want)
		}
	}
}

// FuzzParse holds texts to what is true of any: every byte belongs to one piece, every statement stands in a piece of its language, and nothing panics.
func FuzzParse(f *testing.F) {
	for _, body := range []string{
		"SELECT 1; $x = 2;", "CREATE STREAMING QUERY q AS DO BEGIN SELECT 1; END DO SELECT 2", "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END;",
		"@@;@@@@", "`", "'\\';", "/*", "SET 'sql.language' = 'yql'; SELECT {;};", ";;é;\xff;$",
	} {
		f.Add(body, uint8(0))
		f.Add(body, uint8(2))
	}
	f.Fuzz(func(t *testing.T, body string, as uint8) {
		text, l := source.Text{Body: body}, Language(as%3)
		pieces := Cut(text, l)
		at := 0
		for _, p := range pieces {
			if p.Begin != at || p.Span.Start < p.Begin || p.Span.End < p.Span.Start || p.End < p.Span.End {
				t.Fatalf("piece %+v behind %d", p, at)
			}
			at = p.End
		}
		if len(pieces) > 0 && at != len(body) {
			t.Fatalf("%d bytes of %d belong to pieces", at, len(body))
		}
		all, faults := Piecewise(text, l)
		for _, fault := range faults {
			if fault.Text != text {
				t.Fatalf("a fault of another text: %v", fault)
			}
		}
		for _, s := range all {
			_, yql := s.(*YQLStatement)
			within := false
			for _, p := range pieces {
				within = within || p.YQL == yql && p.Begin <= s.Span().Start && s.Span().End <= p.End
			}
			if !within {
				t.Fatalf("statement at %v is in no piece of %+v", s.Span(), pieces)
			}
		}
	})
}
