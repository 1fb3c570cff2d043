package engine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/lower"
)

// Standing is what a statement has done with a standing query.
type Standing struct {
	*catalog.Standing
	Change Change
	// Query runs it; nil if what it does has not changed, or if it is gone.
	Query *Query

	was *catalog.Standing // nil if there was none
}

// Change is what became of a standing query.
type Change uint8

// The changes.
const (
	// Created is one that was not there before.
	Created Change = iota
	// Set is one that does what it did, but is to run now, or not to.
	Set
	// Rewritten is one that goes on where it was in what it reads, and has nothing else of what it was before.
	Rewritten
	// Anew is one that begins as if it were new.
	Anew
	// Dropped is one that is gone.
	Dropped
)

// Codes of errors about standing queries. YDB: classes of errors of the same names, which their texts have too.
const (
	codeExists       = "already-exists"
	codeNotFound     = "not-found"
	codePrecondition = "precondition-failed"
	codeBadRequest   = "bad-request"
)

// standingError is an error with its class in the text.
func (x *execution) standingError(code string, at source.Span, hint, format string, args ...any) error {
	class := strings.ToUpper(strings.ReplaceAll(code, "-", "_"))
	return x.errorf(code, at, hint, "%s (%s)", fmt.Sprintf(format, args...), class)
}

// createStanding is CREATE STREAMING QUERY.
func (x *execution) createStanding(stmt *language.YQLStatement, s *yql.CreateStreamingQuery) (*Result, error) {
	path := x.standingPath(s.Name)
	was, there := x.session.Standing(path)
	if _, other := x.session.Find(path); other {
		return nil, x.standingError(codeBadRequest, s.Name.Span(), "choose another name", "'%s' is a table or view", s.Name.Text())
	}
	if there && !s.OrReplace && !s.IfNotExists {
		return nil, x.standingError(codeExists, s.Name.Span(), "DROP it first, write OR REPLACE, or IF NOT EXISTS", "there is a streaming query '%s' already", s.Name.Text())
	}
	given, err := x.standingSettings(stmt, s.Settings)
	if err != nil {
		return nil, err
	}
	q := &catalog.Standing{Path: path, Text: x.text, Given: s.Span(), Body: s.Body.Span(), Run: given.run == nil || *given.run, Settings: given.kept}
	query, notes, err := x.standingQuery(stmt, s.Body, q, s.Span())
	if err != nil {
		return nil, err
	}
	if there && s.IfNotExists {
		return &Result{Notes: []string{fmt.Sprintf("there is a streaming query '%s' already, and it stays as it is", s.Name.Text())}}, nil
	}
	x.session.PutStanding(q)
	r := &Result{Notes: append(given.notes, notes...), Standing: &Standing{Standing: q, Change: Created, Query: query, was: was}}
	if there {
		r.Standing.Change = Rewritten
		if given.moves() && was.Settings[yql.SettingReadFrom] != q.Settings[yql.SettingReadFrom] {
			r.Standing.Change = Anew
		}
	}
	return r.running(), nil
}

// running gives the query to whoever runs what a statement gives, if it is to run.
func (r *Result) running() *Result {
	if r.Standing.Run {
		r.Query = r.Standing.Query
	}
	return r
}

// alterStanding is ALTER STREAMING QUERY.
func (x *execution) alterStanding(stmt *language.YQLStatement, s *yql.AlterStreamingQuery) (*Result, error) {
	was, err := x.findStanding(s.Name, s.IfExists)
	if was == nil {
		return &Result{Notes: missing(s.Name, err)}, err
	}
	given, err := x.standingSettings(stmt, s.Settings)
	if err != nil {
		return nil, err
	}
	if s.Body != nil && !given.force {
		return nil, x.standingError(codePrecondition, s.Body.Span(), "write SET (FORCE = TRUE), which keeps the place in what is read, or DROP and CREATE",
			"another text loses the checkpoint of '%s': rows of windows that are open, and all other state", s.Name.Text())
	}
	q := *was
	q.Settings = maps.Clone(was.Settings)
	maps.Copy(q.Settings, given.kept)
	if given.run != nil {
		q.Run = *given.run
	}
	change := Set
	switch {
	case given.moves():
		change = Anew
	case s.Body != nil, q.Settings[yql.SettingLatePolicy] != was.Settings[yql.SettingLatePolicy]:
		change = Rewritten
	}
	r := &Result{Notes: given.notes, Standing: &Standing{Standing: &q, Change: change, was: was}}
	if change == Set && (!q.Run || was.Run) {
		x.session.PutStanding(&q)
		return r, nil
	}
	body := s.Body
	if body != nil {
		q.Text, q.Given, q.Body = x.text, s.Span(), body.Span()
	} else if body, stmt, err = writtenBefore(was); err != nil {
		return nil, err
	}
	query, notes, err := x.standingQuery(stmt, body, &q, s.Span())
	if err != nil {
		return nil, err
	}
	x.session.PutStanding(&q)
	r.Notes, r.Standing.Query = append(r.Notes, notes...), query
	return r.running(), nil
}

// writtenBefore reads the statement again that gave a standing query its text. Its body sees nothing of what stands in front of that.
func writtenBefore(q *catalog.Standing) (*yql.Body, *language.YQLStatement, error) {
	all, err := yql.ParsePart(q.Text, q.Given)
	if err != nil {
		return nil, nil, err
	}
	stmt := &language.YQLStatement{Statement: all[0]}
	switch s := stmt.Statement.(type) {
	case *yql.CreateStreamingQuery:
		return s.Body, stmt, nil
	case *yql.AlterStreamingQuery:
		return s.Body, stmt, nil
	}
	panic("tidemark bug: the text of a streaming query is not in its text")
}

// dropStanding is DROP STREAMING QUERY.
func (x *execution) dropStanding(s *yql.DropStreamingQuery) (*Result, error) {
	was, err := x.findStanding(s.Name, s.IfExists)
	if was == nil {
		return &Result{Notes: missing(s.Name, err)}, err
	}
	x.session.DropStanding(was)
	return &Result{Standing: &Standing{Standing: was, Change: Dropped, was: was}}, nil
}

// findStanding finds a standing query; both results are nil if there is none and that is fine.
func (x *execution) findStanding(name yql.Name, ifExists bool) (*catalog.Standing, error) {
	if q, ok := x.session.Standing(x.standingPath(name)); ok {
		return q, nil
	}
	if ifExists {
		return nil, nil
	}
	var known []string
	for _, q := range x.session.AllStanding() {
		known = append(known, q.Name)
	}
	hint := "CREATE STREAMING QUERY makes one; IF EXISTS does without"
	if near := source.Nearest(name.Text(), known); near != "" {
		hint = "did you mean '" + near + "'?"
	}
	if _, other := x.session.Find(x.standingPath(name)); other {
		return nil, x.standingError(codeBadRequest, name.Span(), hint, "'%s' is a table or view, and no streaming query", name.Text())
	}
	return nil, x.standingError(codeNotFound, name.Span(), hint, "there is no streaming query '%s'", name.Text())
}

// noStanding refuses the name of a standing query for a table or view: they are names of one database.
func (x *execution) noStanding(path catalog.Path, at source.Span) error {
	if _, there := x.session.Standing(path); there {
		return x.standingError(codeBadRequest, at, "choose another name", "'%s' is a streaming query", path.Name)
	}
	return nil
}

func missing(name yql.Name, err error) []string {
	if err != nil {
		return nil
	}
	return []string{fmt.Sprintf("there is no streaming query '%s', and nothing was to be done", name.Text())}
}

// standingPath is the place of a standing query: its name is one, slashes and all, in the current database.
func (x *execution) standingPath(n yql.Name) catalog.Path {
	now := x.session.Current()
	return catalog.Path{Catalog: now.Catalog, Database: now.Database, Name: strings.Trim(n.Text(), "/")}
}

// standingQuery makes the query of a standing query ready. Its body is in the text of stmt, and at is the statement that has asked for it.
func (x *execution) standingQuery(stmt *language.YQLStatement, body *yql.Body, q *catalog.Standing, at source.Span) (*Query, []string, error) {
	in := x.in(q.Text, catalog.Current{Catalog: q.Catalog, Database: q.Database})
	start, err := x.startOf(q)
	if err != nil {
		return nil, nil, x.errorf("setting", at, "", "%s", err)
	}
	o := lower.Options{LatePolicy: q.Settings[yql.SettingLatePolicy], Start: start, StartAsked: q.Settings[yql.SettingReadFrom] != ""}
	if millis, err := strconv.ParseInt(q.Settings[yql.SettingReadFrom], 10, 64); err == nil && millis > 0 { // TIME_AGO is another instant after each restart
		o.Since = millis * 1000
	}
	program, err := in.lowerer(stmt).StreamingQuery(body.Statements, body.Span(), o)
	if err != nil {
		return nil, nil, err
	}
	r, err := in.program(program, body.Span())
	if err != nil {
		return nil, nil, err
	}
	r.Query.name = q.Name
	r.Query.Every(intervalOf(q))
	return r.Query, r.Notes, nil
}

// Stands is the path of the standing query that a statement makes, changes or drops; ok is false for others.
func (e *Engine) Stands(stmt language.Statement) (path catalog.Path, ok bool) {
	y, ok := stmt.(*language.YQLStatement)
	if !ok {
		return path, false
	}
	x := &execution{Engine: e}
	switch s := y.Statement.(type) {
	case *yql.CreateStreamingQuery:
		return x.standingPath(s.Name), true
	case *yql.AlterStreamingQuery:
		return x.standingPath(s.Name), true
	case *yql.DropStreamingQuery:
		return x.standingPath(s.Name), true
	}
	return path, false
}

// Revert has a standing query be what it was before a change that cannot be carried out.
func (e *Engine) Revert(s *Standing) {
	if s.was == nil {
		e.session.DropStanding(s.Standing)
		return
	}
	e.session.PutStanding(s.was)
}

// Interval is how often it asks for checkpoints, in microseconds; 0 is as often as was SET.
func (s *Standing) Interval() int64 { return intervalOf(s.Standing) }

func intervalOf(q *catalog.Standing) int64 {
	n, _ := strconv.ParseInt(q.Settings[yql.SettingInterval], 10, 64) // written by standingSetting
	return n
}

// SQL writes a standing query as a statement that makes it.
func (s *Standing) SQL() string {
	settings := []string{"RUN = " + strings.ToUpper(strconv.FormatBool(s.Run))}
	for _, key := range slices.Sorted(maps.Keys(s.Settings)) {
		value := s.Settings[key]
		switch {
		case key == yql.SettingInterval:
			micros, _ := strconv.ParseInt(value, 10, 64)
			value = fmt.Sprintf("\"PT%sS\"", strconv.FormatFloat(float64(micros)/1e6, 'f', -1, 64))
		case key == yql.SettingReadFrom && strings.HasPrefix(value, "-"):
			millis, _ := strconv.ParseInt(value[1:], 10, 64)
			key, value = yql.SettingDisposition, fmt.Sprintf("(TIME_AGO = \"PT%sS\")", strconv.FormatFloat(float64(millis)/1e3, 'f', -1, 64))
		case key == yql.SettingReadFrom && value != "earliest" && value != "latest":
			millis, _ := strconv.ParseInt(value, 10, 64)
			value = fmt.Sprintf("Timestamp(\"%s\")", time.UnixMilli(millis).UTC().Format("2006-01-02T15:04:05.999Z"))
		case key == yql.SettingPool:
			value = strconv.Quote(value)
		default:
			value = strings.ToUpper(value)
		}
		settings = append(settings, key+" = "+value)
	}
	return "CREATE STREAMING QUERY `" + strings.ReplaceAll(s.Name, "`", "\\`") + "` WITH (" + strings.Join(settings, ", ") + ") AS DO BEGIN" + s.Statements() + "END DO"
}
