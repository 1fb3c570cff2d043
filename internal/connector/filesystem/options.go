package filesystem

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
)

// Connector is the registry row.
var Connector = connector.Connector{
	Name: "filesystem",
	Doc:  "reads a file, or the files of a folder and its subfolders, once",
	Specs: []connector.Spec{
		{Key: "path", Required: true, Doc: "the file or folder, as a path or a file: URL; relative to the working directory"},
		{Key: "format", Required: true, Values: []string{"json"}, Doc: "how rows are written: json, one object a line"},
		{Key: "source.path.regex-pattern", Doc: "read only files whose absolute path matches this regular expression as a whole", Default: "all files"},
		{Key: "source.monitor-interval", NotYet: "leave it out: files are read once, up to the size they had"},
		{Key: "json.timestamp-format.standard", Values: []string{format.SQL.String(), format.ISO8601.String()},
			Doc: "how timestamps are written: SQL (2026-01-01 00:00:00.123) or ISO-8601 (2026-01-01T00:00:00.123)", Default: format.SQL.String()},
		{Key: "json.fail-on-missing-field", Doc: "true: a row without one of the columns is an error; false reads it as NULL", Default: "false"},
		{Key: "json.ignore-parse-errors", Doc: "true: a bad value becomes NULL and a malformed line is left out; false stops", Default: "false"},
	},
	NewSource: NewSource,
	NewSink:   NewSink,
}

type options struct {
	path    string
	pattern *regexp.Regexp // nil: every file
	json    format.JSONOptions
}

func readOptions(o connector.Options) (options, error) {
	var r options
	var err error
	if r.path, err = localPath(o["path"]); err != nil {
		return r, err
	}
	if v, ok := o["source.path.regex-pattern"]; ok {
		// Flink 2.3: the pattern has to match the whole path, not a part of it.
		if r.pattern, err = regexp.Compile("^(?:" + v + ")$"); err != nil {
			return r, &connector.OptionError{Key: "source.path.regex-pattern", Message: fmt.Sprintf("'%s' is not a regular expression: %s", v, err),
				Hint: `write a pattern for the absolute path, such as '.*/part-[0-9]+\.json'`}
		}
	}
	if o["json.timestamp-format.standard"] == format.ISO8601.String() {
		r.json.TimestampFormat = format.ISO8601
	}
	if r.json.FailOnMissingField, err = o.Bool("json.fail-on-missing-field", false); err != nil {
		return r, err
	}
	if r.json.IgnoreParseErrors, err = o.Bool("json.ignore-parse-errors", false); err != nil {
		return r, err
	}
	if r.json.FailOnMissingField && r.json.IgnoreParseErrors {
		return r, &connector.OptionError{Key: "json.ignore-parse-errors", Message: "'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true",
			Hint: "set one of them to 'false'"}
	}
	return r, nil
}

// localPath takes a path or a file: URL and refuses what is on other machines.
func localPath(v string) (string, error) {
	if v == "" {
		return "", &connector.OptionError{Key: "path", Message: "option 'path' is empty", Hint: "name a file or a folder"}
	}
	scheme, rest, ok := strings.Cut(v, ":")
	switch {
	case ok && scheme == "file":
		rest = strings.TrimPrefix(rest, "//")
		if !strings.HasPrefix(rest, "/") {
			return "", &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' does not name a path of this machine", v),
				Hint: "write 'file:///' and the absolute path, or only the path"}
		}
		return rest, nil
	case ok && strings.HasPrefix(rest, "//"):
		return "", &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' cannot be read: file system '%s' is not supported", v, scheme),
			Hint: "copy the files to a local folder and name that"}
	}
	return v, nil
}
