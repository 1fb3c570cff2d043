package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// pragmas are what PRAGMA has said so far.
type pragmas struct {
	settings []Setting
	// idle and granularity are what holds where WITH does not say; nil for the usual.
	idle, granularity *length
	// noIdle says that silent partitions hold the watermark for ever.
	noIdle bool
	// delay is that of topics without WATERMARK.
	delay *length
}

// usualIdle is the idle timeout of a topic that does not say one; 0 for never.
func (p *pragmas) usualIdle() int64 {
	if p.noIdle {
		return 0
	}
	return p.idle.or(usualIdle)
}

// pragma is a row of what PRAGMA can say.
type pragma struct {
	name string
	set  func(l *Lowerer, p *yql.Pragma, value string) error
}

// ignored are pragmas that say nothing here.
func ignored(*Lowerer, *yql.Pragma, string) error { return nil }

// knownPragmas lists them. Names do not mind case.
var knownPragmas = []pragma{
	{"pq.Consumer", func(l *Lowerer, p *yql.Pragma, _ string) error {
		l.note(p.Span(), "PRAGMA pq.Consumer: where a query is in a topic is in its checkpoints, and shown by metrics")
		return nil
	}},
	{"ydb.DisableCheckpoints", func(l *Lowerer, p *yql.Pragma, value string) error {
		on, err := l.pragmaFlag(p, value)
		if on {
			l.pragmas.settings = append(l.pragmas.settings, Setting{catalog.KeyCheckpoints, "0"})
		}
		return err
	}},
	{"ydb.MaxTasksPerStage", func(l *Lowerer, p *yql.Pragma, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return l.pragmaValue(p, value, `write PRAGMA ydb.MaxTasksPerStage = "4"`)
		}
		l.pragmas.settings = append(l.pragmas.settings, Setting{catalog.KeyParallelism, value})
		return nil
	}},
	{"dq.WatermarksMode", func(l *Lowerer, p *yql.Pragma, value string) error {
		if mode := strings.ToLower(value); mode != "default" {
			return l.pragmaValue(p, value, `write PRAGMA dq.WatermarksMode = "default", or WATERMARK where a topic is read`)
		}
		return nil
	}},
	{"dq.WatermarksGranularityMs", func(l *Lowerer, p *yql.Pragma, value string) (err error) {
		l.pragmas.granularity, err = l.pragmaMillis(p, value, 1)
		return err
	}},
	{"dq.WatermarksLateArrivalDelayMs", func(l *Lowerer, p *yql.Pragma, value string) (err error) {
		l.pragmas.delay, err = l.pragmaMillis(p, value, 0)
		return err
	}},
	{"dq.WatermarksEnableIdlePartitions", func(l *Lowerer, p *yql.Pragma, value string) error {
		on, err := l.pragmaFlag(p, value)
		l.pragmas.noIdle = !on
		return err
	}},
	{"dq.WatermarksIdleTimeoutMs", func(l *Lowerer, p *yql.Pragma, value string) (err error) {
		l.pragmas.idle, err = l.pragmaMillis(p, value, 1)
		return err
	}},
	{"AnsiInForEmptyOrNullableItemsCollections", ignored},
	{"SimpleColumns", ignored},
	{"OrderedColumns", ignored},
	{"Warning", ignored},
	{"ydb.OverridePlanner", ignored},
	{"FeatureR010", ignored},
}

// pragma remembers what PRAGMA says.
func (l *Lowerer) pragma(p *yql.Pragma) error {
	parts := make([]string, len(p.Name))
	for i, part := range p.Name {
		parts[i] = part.Name
	}
	name := strings.Join(parts, ".")
	i := slices.IndexFunc(knownPragmas, func(k pragma) bool { return strings.EqualFold(k.name, name) })
	if i < 0 {
		var names []string
		for _, k := range knownPragmas {
			names = append(names, k.name)
		}
		return l.errorf(codePragma, p.Span(), didYouMean(name, names, "the pragmas are: "+strings.Join(names[:8], ", ")), "there is no PRAGMA %s", name)
	}
	value := ""
	if len(p.Values) > 0 {
		switch v := p.Values[0].(type) {
		case *yql.StringLit:
			value = v.Value
		case *yql.IntegerLit:
			value = v.Text
		case *yql.BoolLit:
			value = strconv.FormatBool(v.Value)
		default:
			c, err := l.constant(v, "PRAGMA "+name)
			if err != nil {
				return err
			}
			value = c.String()
			if c.Type().IsText() && !c.IsNull() {
				value = string(c.Value().Bytes(0))
			}
		}
	}
	return knownPragmas[i].set(l, p, value)
}

func (l *Lowerer) pragmaValue(p *yql.Pragma, value, hint string) error {
	at := p.Span()
	if len(p.Values) > 0 {
		at = p.Values[0].Span()
	}
	return l.errorf(codePragma, at, hint, "PRAGMA %s cannot be '%s'", l.text.Slice(p.Name[0].Span().To(p.Name[len(p.Name)-1].Span())), value)
}

func (l *Lowerer) pragmaFlag(p *yql.Pragma, value string) (bool, error) {
	switch strings.ToLower(value) {
	case "true", "1", "":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, l.pragmaValue(p, value, `write "TRUE" or "FALSE"`)
}

func (l *Lowerer) pragmaMillis(p *yql.Pragma, value string, least int64) (*length, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < least || n > 1<<40 {
		return nil, l.pragmaValue(p, value, `write a number of milliseconds, such as "1000"`)
	}
	return &length{n * 1000}, nil
}
