package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/lower"
)

// standingSettings is what WITH or SET says.
type standingSettings struct {
	run   *bool
	force bool
	kept  map[string]string // what stays with the query; READ_FROM as settled: earliest, latest, or milliseconds
	notes []string
}

// moves reports whether they say where reading begins.
func (s *standingSettings) moves() bool { _, ok := s.kept[yql.SettingReadFrom]; return ok }

// standingSettings reads WITH or SET.
func (x *execution) standingSettings(stmt *language.YQLStatement, all []yql.Setting) (*standingSettings, error) {
	if err := x.knownKeys(all); err != nil {
		return nil, err
	}
	given := &standingSettings{kept: map[string]string{}}
	seen := map[string]source.Span{}
	for _, s := range all {
		key := strings.ToUpper(s.Key.Name)
		if key == yql.SettingDisposition {
			key = yql.SettingReadFrom
		}
		if _, twice := seen[key]; twice {
			return nil, x.errorf(source.CodeDuplicate, s.Span(), "keep one of them", "%s is given twice, or what says the same", strings.ToUpper(s.Key.Name))
		}
		seen[key] = s.Span()
		if err := x.standingSetting(given, stmt, s); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// knownKeys refuses keys that nobody knows, all at once.
func (x *execution) knownKeys(all []yql.Setting) error {
	var unknown []string
	var at source.Span
	for _, s := range all {
		if key := strings.ToUpper(s.Key.Name); key == "OUTPUT_FROM" {
			return x.unsupported(s.Span(), "OUTPUT_FROM", "filter by time in the query: WHERE ts >= Timestamp(\"…\")")
		} else if !slices.Contains(yql.QuerySettings, key) {
			if len(unknown) == 0 {
				at = s.Key.Span()
			}
			unknown = append(unknown, key)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	hint := "there are " + strings.Join(yql.QuerySettings, ", ")
	if near := source.Nearest(unknown[0], yql.QuerySettings); near != "" && len(unknown) == 1 {
		hint = "did you mean " + near + "?"
	}
	return x.standingError(codeBadRequest, at, hint, "a streaming query has no setting %s", strings.Join(unknown, ", "))
}

func (x *execution) standingSetting(given *standingSettings, stmt *language.YQLStatement, s yql.Setting) error {
	key := strings.ToUpper(s.Key.Name)
	refuse := func(hint string) error {
		return x.standingError(codeBadRequest, s.Span(), hint, "%s cannot be %s", key, strings.TrimSpace(strings.TrimLeft(x.text.Slice(s.Span())[len(s.Key.Name):], " \t\r\n=")))
	}
	text, isText := x.constant(stmt, s.Value)
	switch key {
	case yql.SettingRun, yql.SettingForce:
		yes, err := strconv.ParseBool(strings.ToLower(text))
		if !isText || err != nil || len(text) < 4 {
			return refuse("write TRUE or FALSE")
		}
		if key == yql.SettingForce {
			given.force = yes
		} else {
			given.run = &yes
		}
	case yql.SettingPool:
		if !isText {
			return refuse("write the name of a pool, which is kept and has no effect: all statements share the processors of this process")
		}
		given.kept[yql.SettingPool] = text
	case yql.SettingLatePolicy:
		policy := strings.ToUpper(text)
		if !isText || policy != lower.Drop && policy != lower.Adjust {
			return refuse("write DROP or ADJUST")
		}
		given.kept[yql.SettingLatePolicy] = policy
	case yql.SettingInterval:
		micros, ok := functions.ParseInterval(text)
		if !isText || !ok || micros < 0 {
			return refuse(`write a duration that is not negative, such as "PT30S"`)
		}
		if micros > 0 && micros < 1000 {
			return refuse("it must be at least 1 ms")
		}
		given.kept[yql.SettingInterval] = strconv.FormatInt(micros, 10)
	case yql.SettingReadFrom:
		return x.readFrom(given, stmt, s, text, isText, refuse)
	default:
		return x.disposition(given, stmt, s, text, isText, refuse)
	}
	return nil
}

// readFrom reads READ_FROM.
func (x *execution) readFrom(given *standingSettings, stmt *language.YQLStatement, s yql.Setting, text string, isText bool, refuse func(string) error) error {
	if call, ok := s.Value.(*yql.Call); ok {
		if f, ok := call.Callee.(*yql.FunctionRef); ok && strings.EqualFold(f.Name.Name, "Timestamp") && len(call.Args) == 1 {
			if text, ok := x.constant(stmt, call.Args[0].Value); ok {
				if t, err := time.Parse(time.RFC3339Nano, text); err == nil && t.Unix() >= 0 {
					given.kept[yql.SettingReadFrom] = strconv.FormatInt(t.UnixMilli(), 10)
					return nil
				}
			}
		}
	}
	_, literal := s.Value.(*yql.StringLit)
	if word := strings.ToLower(text); isText && !literal && (word == "earliest" || word == "latest") {
		given.kept[yql.SettingReadFrom] = word
		return nil
	}
	return refuse(`write EARLIEST, LATEST, or an instant from 1970 on: Timestamp("2026-01-01T00:00:00Z")`)
}

// disposition reads STREAMING_DISPOSITION, the older spelling of READ_FROM.
func (x *execution) disposition(given *standingSettings, stmt *language.YQLStatement, s yql.Setting, text string, isText bool, refuse func(string) error) error {
	const hint = `write OLDEST, FRESH, FROM_CHECKPOINT, FROM_CHECKPOINT_FORCE, (FROM_TIME = "2026-01-01T00:00:00Z") or (TIME_AGO = "PT1H")`
	if len(s.Nested) == 1 {
		text, ok := x.constant(stmt, s.Nested[0].Value)
		switch {
		case !ok:
		case s.Nested[0].Is("FROM_TIME"):
			if t, err := time.Parse(time.RFC3339Nano, text); err == nil && t.Unix() >= 0 {
				given.kept[yql.SettingReadFrom] = strconv.FormatInt(t.UnixMilli(), 10)
				return nil
			}
		case s.Nested[0].Is("TIME_AGO"):
			if micros, ok := functions.ParseInterval(text); ok && micros >= 0 {
				given.kept[yql.SettingReadFrom] = "-" + strconv.FormatInt(micros/1000, 10)
				return nil
			}
		}
		return refuse(hint)
	}
	if !isText {
		return refuse(hint)
	}
	switch strings.ToUpper(text) {
	case "OLDEST":
		given.kept[yql.SettingReadFrom] = "earliest"
	case "FRESH":
		given.kept[yql.SettingReadFrom] = "latest"
	case "FROM_CHECKPOINT":
	case "FROM_CHECKPOINT_FORCE":
		given.force = true
	default:
		return refuse(hint)
	}
	return nil
}

// startOf is where a topic is read from that has no checkpoint yet, as options of its table.
func (x *execution) startOf(q *catalog.Standing) (connector.Options, error) {
	const mode = "scan.startup.mode"
	switch from := q.Settings[yql.SettingReadFrom]; {
	case from == "earliest":
		return connector.Options{mode: "earliest-offset"}, nil
	case from == "latest", from == "": // YDB: the end of every partition, unless something else is said
		return connector.Options{mode: "latest-offset"}, nil
	case strings.HasPrefix(from, "-"):
		ago, err := strconv.ParseInt(from[1:], 10, 64)
		if err != nil || x.options.Now == nil {
			return nil, fmt.Errorf("TIME_AGO needs a clock, which there is not here; write FROM_TIME")
		}
		return connector.Options{mode: "timestamp", "scan.startup.timestamp-millis": strconv.FormatInt(x.options.Now()/1000-ago, 10)}, nil
	default:
		return connector.Options{mode: "timestamp", "scan.startup.timestamp-millis": from}, nil
	}
}

// constant folds what a setting can be: words, strings, TRUE and FALSE, NOT, ||, Just(…) and the named expressions in front of the statement.
func (x *execution) constant(stmt *language.YQLStatement, e yql.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *yql.StringLit:
		return e.Value, true
	case *yql.BoolLit:
		return strconv.FormatBool(e.Value), true
	case *yql.ColumnRef:
		return e.Name.Name, true
	case *yql.Unary:
		text, ok := x.constant(stmt, e.Operand)
		yes, err := strconv.ParseBool(text)
		return strconv.FormatBool(!yes), ok && err == nil && e.Op == yql.OpNot
	case *yql.Binary:
		left, ok := x.constant(stmt, e.Left)
		right, also := x.constant(stmt, e.Right)
		return left + right, ok && also && e.Op == yql.OpConcat
	case *yql.Call:
		if f, is := e.Callee.(*yql.FunctionRef); is && strings.EqualFold(f.Name.Name, "Just") && len(e.Args) == 1 {
			return x.constant(stmt, e.Args[0].Value)
		}
	case *yql.NamedRef:
		for i := len(stmt.Before) - 1; i >= 0; i-- {
			if a, is := stmt.Before[i].(*yql.Assign); is && len(a.Names) == 1 && a.Names[0].Name.Name == e.Name.Name {
				return x.constant(&language.YQLStatement{Statement: a, Before: stmt.Before[:i]}, a.Value)
			}
		}
	}
	return "", false
}
