package language

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// cutCase is a text and its statements.
type cutCase struct {
	Name, Text, Language string
	Pieces               []cutPiece
}

type cutPiece struct {
	YQL   bool
	Text  string
	Ended bool
}

// TestCut finds the statements of texts and whose they are. The page of the server cuts texts too, and reads the same cases.
func TestCut(t *testing.T) {
	content, err := os.ReadFile("../page/src/sql/cut.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []cutCase
	if err := json.Unmarshal(content, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			as, ok := Named(c.Language)
			if !ok {
				t.Fatal(c.Language)
			}
			got := []cutPiece{}
			for _, p := range Cut(source.Text{Body: c.Text}, as) {
				got = append(got, cutPiece{p.YQL, c.Text[p.Span.Start:p.Span.End], p.Ended})
			}
			if !slices.Equal(got, c.Pieces) {
				t.Errorf("\ngot:  %+v\nwant: %+v", got, c.Pieces)
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

// TestRightInYQL says of a statement that is wrong in Flink SQL that it is right in YQL, where that is likely to be meant.
func TestRightInYQL(t *testing.T) {
	for _, c := range []struct {
		body string
		says bool
	}{
		{`INSERT INTO t SELECT "hello"`, true},
		{`SELECT Yson::From(a) FROM t`, true},
		{`SELECT a ?? b FROM t`, true},
		{`CREATE TOPIC t; SELECT a, FROM t`, true},
		{`SELECT a, FROM t`, false},
		{`SELECT "hello" FROM`, false},
		{`SELECT a FORM t`, false},
		{"CREATE TABLE t (a Int64 NOT NULL, primary key (a))", true},
		{"CREATE TABLE t (a BIGINT, PRIMARY KEY (a), WATERMARK FOR b AS b)", false},
	} {
		_, err := Parse(source.Text{Name: "x", Body: c.body}, Auto)
		var found *source.Error
		if !errors.As(err, &found) || strings.Contains(found.Hint, "YQL") != c.says {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}

// TestNotUTF8 says of a file in another encoding what to do, in either language; the replacement character itself is UTF-8.
func TestNotUTF8(t *testing.T) {
	for _, as := range []Language{SQL, YQL} {
		for body, want := range map[string]string{"\xff\xfeS\x00": "save the file as UTF-8", "\ufffd": ""} {
			_, err := Parse(source.Text{Name: "x", Body: body}, as)
			var found *source.Error
			if !errors.As(err, &found) || found.Hint != want {
				t.Errorf("%q: %v", body, err)
			}
		}
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
