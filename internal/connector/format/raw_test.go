package format

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

func TestRaw(t *testing.T) {
	for _, c := range []struct {
		columns string
		options connector.Options
		record  string
		want    string
	}{
		{"s", nil, "any {\"text\"}", `{"s":"any {\"text\"}"}`},
		{"s", nil, "", `{"s":""}`},
		{"s", nil, "\xff", "error: field 's': the value is not valid UTF-8; set 'raw.charset', or declare the column with the type that was written"},
		{"s", connector.Options{"raw.charset": "ISO-8859-1"}, "caf\xe9", `{"s":"café"}`},
		{"s", connector.Options{"raw.charset": "US-ASCII"}, "caf\xe9", `{"s":"caf�"}`},
		{"s", connector.Options{"raw.charset": "UTF-16"}, "\xff\xfea\x00", `{"s":"a"}`},
		{"s", connector.Options{"raw.charset": "UTF-16"}, "\xd8\x3c\xdf\x0a\xd8\x00\x00", `{"s":"🌊��"}`},
		{"i", nil, "\xff\xff\xff\xfe", `{"i":-2}`},
		{"i", connector.Options{"raw.endianness": "little-endian"}, "\x01\x02\x00\x00", `{"i":513}`},
		{"l", nil, "\x00\x00\x00\x00\x00\x00\x01\x00", `{"l":256}`},
		{"d", nil, "\x40\x04\x00\x00\x00\x00\x00\x00", `{"d":2.5}`},
		{"b", nil, "\x02", `{"b":true}`},
		{"l", nil, "123", "error: field 'l': expected the 8 bytes of BIGINT, found 3; set 'raw.charset', or declare the column with the type that was written"},
	} {
		o := connector.Options{"format": "raw"}
		for k, v := range c.options {
			o[k] = v
		}
		d, err := choose(t, o).NewDecoder(columns(c.columns), []int{0})
		if err != nil {
			t.Fatal(err)
		}
		b, errs := readEach(d, c.record, []int{len(c.record)})
		got := ""
		if len(errs) > 0 {
			got = "error: " + errs[0].Error()
		} else {
			got = string(NewJSONEncoder(columns(c.columns), JSONOptions{}).AppendRow(nil, b, 0))
		}
		if got != c.want {
			t.Errorf("%q as %s %v: got %s, want %s", c.record, c.columns, c.options, got, c.want)
		}
	}
}

func TestRawRefuses(t *testing.T) {
	for _, schema := range []types.Schema{columns("sl"), columns("t"), nil} {
		if err := choose(t, connector.Options{"format": "raw"}).Check(schema); err == nil {
			t.Errorf("%v: no error", schema)
		}
	}
}

// FuzzRawDecode: whatever the bytes, each record is a row or an error, and what is read is valid text.
func FuzzRawDecode(f *testing.F) {
	f.Add([]byte("\xd8\x3c\xdf\x0a\xff"), 2)
	f.Add([]byte("\xfe\xff\xd8"), 1)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		if cut < 0 || cut > len(text) {
			return
		}
		for _, charset := range charsets {
			d, err := choose(t, connector.Options{"format": "raw", "raw.charset": charset}).NewDecoder(columns("s"), []int{0})
			if err != nil {
				t.Fatal(err)
			}
			b, errs := readEach(d, string(text), []int{cut, len(text)})
			if b.N+len(errs) != 2 {
				t.Fatalf("%d rows and %d errors of 2 records", b.N, len(errs))
			}
			for i := range b.N {
				again := appendDecoded(nil, "UTF-16BE", appendEncoded(nil, "UTF-16BE", b.Cols[0].Bytes(i)))
				if string(again) != string(b.Cols[0].Bytes(i)) {
					t.Errorf("%s: %q is not text", charset, b.Cols[0].Bytes(i))
				}
			}
		}
	})
}
