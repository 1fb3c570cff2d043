package filesystem

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Connector is the registry row with the formats of package format.
var Connector = New()

// New is the registry row with containers as well.
func New(containers ...Container) connector.Connector {
	f := family{containers}
	return connector.Connector{
		Name: "filesystem",
		Doc:  "reads a file, the files of a folder and its subfolders, or those that a pattern matches, once or as they come; writes part files into a folder",
		Guarantee: func(connector.Table, connector.Options) connector.Guarantee {
			return connector.Guarantee{Times: connector.ExactlyOnce, Why: "files get their names when the checkpoint that covers them is durable"}
		},
		Specs: slices.Concat([]connector.Spec{
			{Key: "path", Required: true, Doc: "the file, folder or pattern (logs/*/2026-??.json), or the folder that is written; relative to the working directory"},
		}, f.specs(), []connector.Spec{
			{Key: patternKey, Doc: "read only files whose absolute path matches this regular expression as a whole", Default: "all files"},
			{Key: monitorKey, Doc: "how often to look for new files, such as '10 s'; the table then has no end", Default: "files are looked for once"},
			{Key: followKey, Doc: "true: what is appended to a file is read as it comes, like tail -F; the table then has no end. Flink has no such option", Default: "false"},
			{Key: sizeKey, Doc: "the size of a part file, before compression, at which the next one is begun", Default: "128 MB"},
			{Key: intervalKey, Doc: "how long a part file is written to at most; it is looked at when rows or watermarks come", Default: "30 min"},
			{Key: inactivityKey, Doc: "how long a part file is kept open without rows", Default: "30 min"},
			{Key: checkKey, Doc: "accepted and of no effect: the age of a file is looked at all the time", Default: "1 min"},
			{Key: compressKey, Values: []string{"none", "gzip", "zstd"}, Doc: "how part files are compressed. Flink leaves that to the format", Default: "none"},
			{Key: "auto-compaction", NotYet: "leave it out and make the parts larger with 'sink.rolling-policy.file-size'"},
			{Key: "compaction.file-size", NotYet: "leave it out and make the parts larger with 'sink.rolling-policy.file-size'"},
			{Key: "partition.default-name", NotYet: "leave it out: tables are not partitioned; 'path' may be a pattern"},
			{Key: "compaction.parallelism", NotYet: "leave it out and make the parts larger with 'sink.rolling-policy.file-size'"},
			{Key: "partition.time-extractor.", Prefix: true, NotYet: "leave it out: tables are not partitioned"},
			{Key: "sink.partition-commit.", Prefix: true, NotYet: "leave it out: tables are not partitioned"},
			{Key: "sink.shuffle-by-partition.enable", NotYet: "leave it out: tables are not partitioned"},
			{Key: "source.report-statistics", NotYet: "leave it out: no statistics are used"},
			connector.SinkParallelism,
		}),
		Metadata: []connector.MetadataColumn{
			{Key: "file.path", Type: notNull(types.StringType), Doc: "the path of the file, as it was found"},
			{Key: "file.name", Type: notNull(types.StringType), Doc: "the name of the file"},
			{Key: "file.size", Type: notNull(types.BigIntType), Doc: "the size of the file in bytes, when it was found"},
			{Key: "file.modification-time", Type: notNull(types.TimestampLTZType), Doc: "when the file was changed last, when it was found"},
		},
		FormatMetadata: format.Metadata,
		Yields:         changelog,
		Takes:          changelog,
		NewSource:      f.newSource,
		NewSink:        f.newSink,
		Snapshot:       snapshot,
		Recast:         f.recast,
	}
}

// recast also leaves out what the options say of a container.
func (f family) recast(o connector.Options, name string, own connector.Options) connector.Options {
	out := format.Recast(o, "", name, own)
	for key := range o {
		if owner, _ := f.owner(key); owner != "" && owner != name {
			delete(out, key)
		}
	}
	return out
}

// snapshot reads the files that there are, as far as they are written.
func snapshot(o connector.Options) connector.Options {
	delete(o, monitorKey)
	delete(o, followKey)
	return o
}

// changelog is what the format tells.
func changelog(_ connector.Table, o connector.Options) connector.Changelog {
	return format.Changelog(o, "")
}

func notNull(t types.Type) types.Type { t.NotNull = true; return t }

const (
	patternKey    = "source.path.regex-pattern"
	monitorKey    = "source.monitor-interval"
	followKey     = "source.follow"
	sizeKey       = "sink.rolling-policy.file-size"
	intervalKey   = "sink.rolling-policy.rollover-interval"
	inactivityKey = "sink.rolling-policy.inactivity-interval"
	checkKey      = "sink.rolling-policy.check-interval"
	compressKey   = "compress"
)

// place is where a table is and how its rows are written.
type place struct {
	path      string
	format    *format.Choice // nil: container says it
	container *contained
	fence     *fence
}

func (f family) readPlace(o connector.Options) (p place, err error) {
	if p.path, err = localPath(o["path"]); err != nil {
		return p, err
	}
	if p.container, err = f.choose(o); err == nil && p.container == nil {
		p.format, _, err = format.Choose(o, "")
	}
	return p, err
}

type sourceOptions struct {
	place
	pattern *regexp.Regexp // nil: every file
	monitor int64          // how often to look for files, microseconds; 0: never again
	follow  bool
}

func (f family) readSourceOptions(o connector.Options) (r sourceOptions, err error) {
	if r.place, err = f.readPlace(o); err != nil {
		return r, err
	}
	if v, ok := o[patternKey]; ok {
		// Flink 2.3: the pattern has to match the whole path, not a part of it.
		if r.pattern, err = regexp.Compile("^(?:" + v + ")$"); err != nil {
			return r, &connector.OptionError{Key: patternKey, Message: fmt.Sprintf("'%s' is not a regular expression: %s", v, err),
				Hint: `write a pattern for the absolute path, such as '.*/part-[0-9]+\.json'`}
		}
	}
	if r.monitor, err = o.Duration(monitorKey, 0); err != nil {
		return r, err
	}
	if _, ok := o[monitorKey]; ok && r.monitor < 1000 {
		return r, &connector.OptionError{Key: monitorKey, Message: fmt.Sprintf("option '%s' is '%s'", monitorKey, o[monitorKey]), Hint: "write 1 ms or more, or leave it out to look once"}
	}
	r.follow, err = o.Bool(followKey, false)
	return r, err
}

type sinkOptions struct {
	place
	size     int64 // bytes
	interval int64 // microseconds
	idle     int64 // microseconds
	compress string
}

func (f family) readSinkOptions(o connector.Options) (r sinkOptions, err error) {
	if r.place, err = f.readPlace(o); err != nil {
		return r, err
	}
	if r.size, err = o.Size(sizeKey, 128<<20); err != nil {
		return r, err
	}
	if r.interval, err = o.Duration(intervalKey, 30*60*1e6); err != nil {
		return r, err
	}
	if r.idle, err = o.Duration(inactivityKey, 30*60*1e6); err != nil {
		return r, err
	}
	if _, err = o.Duration(checkKey, 0); err != nil {
		return r, err
	}
	for _, k := range []struct {
		key   string
		value int64
	}{{sizeKey, r.size}, {intervalKey, r.interval}, {inactivityKey, r.idle}} {
		if k.value < 1 {
			return r, &connector.OptionError{Key: k.key, Message: fmt.Sprintf("option '%s' is '%s'", k.key, o[k.key]), Hint: "it must be more than 0"}
		}
	}
	if r.compress = o[compressKey]; r.compress == "none" {
		r.compress = ""
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
