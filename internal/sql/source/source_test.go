package source

import (
	"strings"
	"testing"
)

// TestPosition counts lines by line ends and columns by characters.
func TestPosition(t *testing.T) {
	text := Text{Name: "q.sql", Body: "a\nbé日c\r\n\nlast"}
	for _, c := range []struct {
		offset, line, column int
	}{
		{-1, 1, 1}, {0, 1, 1}, {1, 1, 2}, {2, 2, 1}, {3, 2, 2}, {5, 2, 3}, {8, 2, 4}, {11, 3, 1}, {12, 4, 1}, {16, 4, 5}, {99, 4, 5},
	} {
		if line, column := text.Position(c.offset); line != c.line || column != c.column {
			t.Errorf("offset %d is at %d:%d, want %d:%d", c.offset, line, column, c.line, c.column)
		}
	}
}

// TestRender draws errors at all kinds of places.
func TestRender(t *testing.T) {
	for _, c := range []struct {
		name, body string
		err        Error
		want       string
	}{
		{
			"a hint", "SELECT 1;\nSELECT\n\tbider, COUNT(*) FROM bids",
			Error{Span: Span{18, 23}, Message: "unknown column 'bider'", Hint: "did you mean 'bidder'?"},
			"error: unknown column 'bider'\n" +
				"  --> q.sql:3:2\n" +
				"   |\n" +
				" 3 | \tbider, COUNT(*) FROM bids\n" +
				"   | \t^^^^^\n" +
				"   = did you mean 'bidder'?\n",
		},
		{
			"several lines show the first", "a = (\n1)",
			Error{Span: Span{4, 8}, Message: "no"},
			"error: no\n  --> q.sql:1:5\n   |\n 1 | a = (\n   |     ^\n",
		},
		{
			"the end of the text is after its last character", "SELECT  \n\n",
			Error{Span: Span{10, 10}, Message: "found the end of the text", Expected: []string{"a name", "'('", "FROM"}},
			"error: expected a name, '(' or FROM but found the end of the text\n  --> q.sql:1:7\n   |\n 1 | SELECT  \n   |       ^\n",
		},
		{
			"wide and combining characters", "'日本' e\u0301 x",
			Error{Span: Span{13, 14}, Message: "no"},
			"error: no\n  --> q.sql:1:9\n   |\n 1 | '日本' e\u0301 x\n   |          ^\n",
		},
		{
			"an empty text", "",
			Error{Span: Span{0, 0}, Message: "no"},
			"error: no\n  --> q.sql:1:1\n   |\n 1 | \n   | ^\n",
		},
		{
			"a place outside the text", "abc",
			Error{Span: Span{-4, 99}, Message: "no"},
			"error: no\n  --> q.sql:1:1\n   |\n 1 | abc\n   | ^^^\n",
		},
		{
			"a line with four digits", strings.Repeat("\n", 1000) + "x",
			Error{Span: Span{1000, 1001}, Message: "no"},
			"error: no\n     --> q.sql:1001:1\n      |\n 1001 | x\n      | ^\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.err.Text = Text{Name: "q.sql", Body: c.body}
			if got := c.err.Render(); got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
		})
	}
}

// TestErrorLine shows the form that goes into logs.
func TestErrorLine(t *testing.T) {
	err := &Error{Span: Span{7, 12}, Message: "unknown column 'bider'", Text: Text{Name: "q.sql", Body: "SELECT bider"}}
	if got, want := err.Error(), "q.sql:1:8: unknown column 'bider'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNearest finds what a misspelt name was meant to be.
func TestNearest(t *testing.T) {
	columns := []string{"bidder", "price", "Auction", "ts", "id", "url"}
	for _, c := range []struct{ name, want string }{
		{"bider", "bidder"},
		{"BIDDER", "bidder"},
		{"pirce", "price"}, // a swap is one error
		{"auctoin", "Auction"},
		{"st", "ts"},
		{"x", ""},
		{"", ""},
		{"timestamp", ""},
		{"bidderbidder", ""},
		{"urls", "url"},
	} {
		if got := Nearest(c.name, columns); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
	if got := Nearest("pricf", []string{"prica", "price"}); got != "prica" {
		t.Errorf("of equally close names the first wins, got %q", got)
	}
}
