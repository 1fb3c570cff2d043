package format

import (
	"strings"
	"testing"
)

// TestArrays: an array of objects is as many rows, or an error as a whole.
func TestArrays(t *testing.T) {
	for _, c := range []struct {
		text    string
		ignore  bool
		rows    int
		skipped int64
		fault   string
	}{
		{text: `[]`},
		{text: `[ ] `},
		{text: `[{"l":1}]`, rows: 1},
		{text: `[ {"l":1} , {"l":2,"s":"a\"]}"}, {} ]` + "\n" + `{"l":4}`, rows: 4},
		{text: `{"l":1}` + "\n" + `[{"l":null,"s":"\n"},{"l":"x"}]` + "\n" + `{"l":3}`, rows: 1, fault: `field 'l': expected BIGINT, found "x"`},
		{text: `[{"l":1},{"l":"x"},{"s":"\u0041"}]`, ignore: true, rows: 3},
		{text: `[{"l":1},2]`, fault: "expected a JSON object"},
		{text: `[{"l":1},{"l":2}`, fault: "the line ends before its object does"},
		{text: `[{"l":1},{"l":2},`, fault: "the line ends before its object does"},
		{text: `[{"l":1}] ]`, fault: "unexpected text behind the object"},
		{text: `[{"l":1}] x`, fault: "unexpected text behind the object"},
		{text: `[{"l":1} {"l":2}]`, fault: "expected ',' or '}'"},
		{text: `[{"l":1},{"l":2}`, ignore: true, skipped: 1},
		{text: `[`, fault: "the line ends"},
		{text: `[` + strings.Repeat(`{"l":1},`, 100) + `{"l":2}]`, rows: 101},
	} {
		rows, skipped, err := decodeAll(t, columns("ls"), JSONOptions{IgnoreParseErrors: c.ignore}, c.text, 10)
		if len(rows) != c.rows || skipped != c.skipped || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %d rows, %d skipped, %v; want %d, %d, %q", c.text, len(rows), skipped, err, c.rows, c.skipped, c.fault)
		}
	}
}

// TestRecordsSideBySide: records need nothing between them, and a broken one does not read on in the next.
func TestRecordsSideBySide(t *testing.T) {
	text := `{"s":"x}` + `{"s":"y","l":1}` + `{"s":"\n` + `"}`
	ends := []int{len(`{"s":"x}`), len(`{"s":"x}{"s":"y","l":1}`), len(text) - 2, len(text)}
	d, err := NewJSONDecoder(columns("sl"), JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, errs := readEach(d, text, ends)
	if b.N != 1 || string(b.Cols[0].Bytes(0)) != "y" || len(errs) != 3 {
		t.Errorf("%d rows, errors %v", b.N, errs)
	}
}
