package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	gort "runtime"
	"time"

	"github.com/tidemark-sql/tidemark/internal/advice"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statements"
	"github.com/tidemark-sql/tidemark/internal/summary"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/watermark"
)

// advised is one call of tidemark advise.
type advised struct {
	inline inlineSQL
	column string
	delays lengths
	longest,
	every length
	form     string
	quiet    bool
	where    brokers
	stdout   io.Writer
	stderr   io.Writer
	progress *screen // nil: no progress
}

func adviseVerb(f *flags) action {
	a := &advised{}
	f.Var(&a.inline, "e", "the `SQL` that declares the table, instead of a file; queries in it are left out, and nothing is made or changed outside")
	f.StringVar(&a.column, "time", "", "the time `column`; without it, that of the watermark, or the only one there is")
	f.Var(&a.delays, "delay", "count late rows for this `length` too, such as '90 s'; may be given several times")
	f.Var(&a.longest, "for", "read a table without end for so `long`, such as '1 min'; without it, until Ctrl-C")
	f.Var(&a.every, "every", "tell what was found so far each so `often`, such as '10 s'")
	f.StringVar(&a.form, "output", "text", "`form` of the advice: text, or json, an object on a line")
	f.BoolVar(&a.quiet, "quiet", false, "write no progress to standard error")
	a.where.flags(f)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		a.stdout, a.stderr = stdout, stderr
		if a.form != "text" && a.form != "json" {
			return usageErrorf("--output is '%s'; it can be text or json", a.form)
		}
		if len(args) == 0 {
			return usageErrorf("name the table: tidemark advise orders, or with what declares it, tidemark advise orders FILE")
		}
		var ddl source.Text
		if a.inline.given || len(args) > 1 {
			var err error
			if ddl, err = readScript(a.inline, args[1:]); err != nil {
				return err
			}
		}
		return a.run(ctx, ddl, args[0])
	}
}

// run declares what ddl has and looks at a table.
func (a *advised) run(ctx context.Context, ddl source.Text, table string) error {
	if !a.quiet && terminal(a.stderr) {
		a.progress = newScreen(a.stderr)
		if terminal(a.stdout) {
			a.stdout = a.progress.writer(a.stdout)
		}
	}
	if err := a.where.open(nil, a.stderr); err != nil {
		return err
	}
	defer a.where.close()
	e := engine.New(engine.Options{Connectors: a.where.looking(), Stdout: io.Discard, Stderr: io.Discard, Stdin: os.Stdin})
	if err := declare(ctx, e, ddl); err != nil {
		return err
	}
	r, err := e.Reading(source.Text{Name: "TABLE", Body: table}, source.Text{Name: "--time", Body: a.column})
	if err != nil {
		return err
	}
	if r.Bounded && a.longest > 0 {
		return usageErrorf("--for is for tables without end; '%s' has one", r.Table)
	}
	var study *advice.Study
	job, err := r.Start(runtime.Options{Workers: gort.GOMAXPROCS(0), Witness: func(_ string, core *watermark.Core) runtime.Witness {
		study = statements.NewStudy(r, core, time.Now().UnixMicro(), a.delays...)
		return study
	}})
	if err != nil {
		return err
	}
	return a.look(ctx, r, job, study)
}

// declare runs the statements of a text that declare something.
func declare(ctx context.Context, e *engine.Engine, text source.Text) error {
	parsed, err := parseText(ctx, text, language.Auto)
	if err != nil {
		return err
	}
	for _, stmt := range parsed {
		switch s := stmt.(type) {
		case *sql.CreateTable:
			if s.As != nil {
				continue
			}
		case *language.YQLStatement:
			if !declaresTable(s) {
				continue
			}
		case *sql.QueryStatement, *sql.Insert, *sql.StatementSet, *sql.Explain, *sql.Show, *sql.Describe:
			continue
		}
		if _, err := execute(ctx, e, text, stmt); err != nil {
			return err
		}
	}
	return nil
}

// declaresTable tells a statement of YQL that makes or drops a table or topic, or defines something for those.
func declaresTable(s *language.YQLStatement) bool {
	switch s.Statement.(type) {
	case *yql.CreateTable, *yql.CreateTopic, *yql.DropTable, *yql.DropTopic:
		return true
	}
	return s.Defines()
}

// look reads a table and tells what is found.
func (a *advised) look(ctx context.Context, r *engine.Reading, job *runtime.Job, study *advice.Study) error {
	reading, enough := context.WithCancel(ctx)
	defer enough()
	if a.longest > 0 {
		timer := time.AfterFunc(time.Duration(a.longest)*time.Microsecond, enough)
		defer timer.Stop()
	}
	stop := a.watch(job, study)
	err := job.Run(reading)
	stop()
	if err != nil {
		return err
	}
	if err := a.tell(study); err != nil {
		return err
	}
	if r.Bounded && ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// watch shows how far the reading has come, and what was found so far if that is asked for, until the returned function is called.
func (a *advised) watch(job *runtime.Job, study *advice.Study) (stop func()) {
	done, finished := make(chan struct{}), make(chan struct{})
	started := time.Now()
	var progress, report <-chan time.Time
	if a.progress != nil {
		ticker := time.NewTicker(200 * time.Millisecond)
		progress = ticker.C
	}
	if a.every > 0 {
		ticker := time.NewTicker(time.Duration(a.every) * time.Microsecond)
		report = ticker.C
	}
	go func() {
		defer close(finished)
		for {
			select {
			case <-progress:
				a.progress.show(summary.Progress(job.Stats(), time.Since(started)))
			case <-report:
				if a.tell(study) == nil && a.form == "text" {
					fmt.Fprintln(a.stdout)
				}
			case <-done:
				if a.progress != nil {
					a.progress.clear()
				}
				return
			}
		}
	}()
	return func() {
		close(done)
		<-finished
	}
}

// tell writes what was found so far.
func (a *advised) tell(study *advice.Study) error {
	report := study.Report()
	if a.form == "text" {
		_, err := io.WriteString(a.stdout, report.Text())
		return writeFault(err)
	}
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	return writeFault(enc.Encode(report))
}

// length is the value of a flag that is a length of time above 0, in microseconds, written as in the options of tables.
type length int64

// String implements flag.Value.
func (l *length) String() string { return "" }

// Set implements flag.Value.
func (l *length) Set(text string) error {
	micros, err := parseLength(text)
	if err == nil && micros == 0 {
		err = errors.New("it must be longer than 0")
	}
	*l = length(micros)
	return err
}

// lengths are the values of a flag that may be given several times, each a length of time or 0.
type lengths []int64

// String implements flag.Value.
func (l *lengths) String() string { return "" }

// Set implements flag.Value.
func (l *lengths) Set(text string) error {
	micros, err := parseLength(text)
	*l = append(*l, micros)
	return err
}

func parseLength(text string) (int64, error) {
	micros, err := connector.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%w; write a number and a unit, such as '10 s'", err)
	}
	return micros, nil
}
