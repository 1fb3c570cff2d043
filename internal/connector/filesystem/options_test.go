package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func TestRefusedOptions(t *testing.T) {
	for _, c := range []struct {
		key, value, message, hint string
	}{
		{"format", "orc", "option 'format' cannot be 'orc'", "use one of: json, csv, raw"},
		{"csv.field-delimiter", ";", "option 'csv.field-delimiter' is for 'format' = 'csv', and the table has 'json'", "leave it out"},
		{"source.monitor-interval", "0", "option 'source.monitor-interval' is '0'", "1 ms or more"},
		{"source.monitor-interval", "soon", "'soon' is not a length of time", "write a number and a unit"},
		{"source.follow", "yes", "option 'source.follow' is 'yes'", "true or false"},
		{"auto-compaction", "true", "option 'auto-compaction' is not there yet", "make the parts larger"},
		{"sink.partition-commit.trigger", "process-time", "option 'sink.partition-commit.trigger' is not there yet", "not partitioned"},
		{"compress", "lz4", "option 'compress' cannot be 'lz4'", "none, gzip, zstd"},
		{"path", "", "option 'path' is empty", "name a file or a folder"},
		{"path", "s3://bucket/x", "'s3://bucket/x' cannot be read: file system 's3' is not supported", "copy the files to a local folder"},
		{"path", "file://x", "'file://x' does not name a path of this machine", "file:///"},
		{"source.path.regex-pattern", "(", "'(' is not a regular expression", "pattern for the absolute path"},
		{"json.timestamp-format.standard", "RFC", "option 'json.timestamp-format.standard' cannot be 'RFC'", "SQL, ISO-8601"},
		{"json.ignore-parse-errors", "yes", "option 'json.ignore-parse-errors' is 'yes'", "true or false"},
		{"json.fail-on-missing-field", "yes", "option 'json.fail-on-missing-field' is 'yes'", "true or false"},
		{"json.ignore-parse-error", "true", "connector 'filesystem' has no option 'json.ignore-parse-error'", "did you mean 'json.ignore-parse-errors'?"},
	} {
		o := connector.Options{"path": "x", "format": "json", c.key: c.value}
		refused(t, c.key, makeSource(schema, o), c.key, c.message, c.hint)
	}
	refused(t, "both", makeSource(schema, connector.Options{"path": "x", "format": "json", "json.fail-on-missing-field": "true", "json.ignore-parse-errors": "true"}),
		"json.ignore-parse-errors", "cannot both be true", "set one of them")
	refused(t, "interval", makeSource(types.Schema{{Name: "i", Type: types.IntervalDayType}}, connector.Options{"path": "x", "format": "json"}),
		"format", "column 'i': format 'json' cannot read INTERVAL DAY TO SECOND", "declare the column")
	refused(t, "no path", makeSource(schema, connector.Options{"format": "json"}), "connector", "needs the option 'path'", "add 'path' = '…'")
	refused(t, "no format", makeSource(schema, connector.Options{"path": "x"}), "connector", "needs the option 'format'", "add 'format' = '…'")
	for _, c := range []struct{ key, value string }{{sizeKey, "big"}, {sizeKey, "0"}, {intervalKey, "0 s"}, {intervalKey, "x"}, {checkKey, "x"}} {
		_, err := NewSink(connector.Table{Schema: schema}, connector.Options{"path": "x", "format": "json", c.key: c.value})
		refused(t, c.key, err, c.key, "'"+c.value+"'", "")
	}
}

func makeSource(schema types.Schema, o connector.Options) error {
	if err := connector.Check("filesystem", o, Connector.Specs); err != nil {
		return err
	}
	_, err := NewSource(connector.Table{Schema: schema}, o)
	return err
}

// refused checks that err is an OptionError about key whose message and hint contain what they should.
func refused(t *testing.T, name string, err error, key, message, hint string) {
	t.Helper()
	e, ok := errors.AsType[*connector.OptionError](err)
	if !ok {
		t.Errorf("%s: %v is no OptionError", name, err)
		return
	}
	if e.Key != key || !strings.Contains(e.Message, message) || !strings.Contains(e.Hint, hint) {
		t.Errorf("%s: got %s: %s (%s)", name, e.Key, e.Message, e.Hint)
	}
}

func TestRefusedPaths(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.jsonl.xz"), "")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, message, hint string }{
		{"no/such.jsonl", "no file or folder 'no/such.jsonl'", "relative paths start at the working directory, " + here},
		{folder + "/b", "no file or folder '" + folder + "/b'", "check the spelling"},
		{folder, "'" + folder + "/a.jsonl.xz' cannot be read: .xz files are not supported", "decompress it"},
		{folder + "/*.json", "no file or folder matches '" + folder + "/*.json'", "check the spelling"},
		{folder + "/[a", "'" + folder + "/[a' is not a pattern", "bracket"},
		{os.DevNull, "'" + os.DevNull + "' is neither a file nor a folder", "connector 'stdin'"},
	} {
		_, err := open(t, c.path).Open()
		refused(t, c.path, err, "path", c.message, c.hint)
		if fault.Of(err) != fault.User {
			t.Errorf("%s: the fault is %s", c.path, fault.Of(err))
		}
	}
}

func TestTimestampFormatIsHandedOn(t *testing.T) {
	for _, c := range []struct{ value, row string }{
		{"SQL", `{"at":"2026-01-01 00:00:00"}`},
		{"ISO-8601", `{"at":"2026-01-01T00:00:00"}`},
	} {
		path := write(t, filepath.Join(t.TempDir(), "rows.jsonl"), c.row)
		table := connector.Table{Schema: types.Schema{{Name: "at", Type: types.TimestampType}}, Needed: []int{0}}
		s, err := NewSource(table, connector.Options{"path": path, "format": "json", "json.timestamp-format.standard": c.value})
		if err != nil {
			t.Fatal(err)
		}
		splits, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		chunk, _, _ := splits[0].Poll(0)
		d, _ := s.NewDecoder()
		var got []int64
		_, err = d.Decode(chunk, &vector.Pool{}, 10, func(b *vector.Batch) error {
			got = slices.Clone(b.Cols[0].Ints)
			return nil
		})
		if err != nil || !slices.Equal(got, []int64{1_767_225_600_000_000}) {
			t.Errorf("%s: %d, %v", c.value, got, err)
		}
	}
}
