package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// elsewhere is a place with one table, whose queries give a row and then run until they are stopped.
type elsewhere struct {
	into  string
	began chan struct{}
	ended int
}

func (e *elsewhere) Execute(_ context.Context, text source.Text, stmt language.Statement) (*Outcome, error) {
	if _, ok := stmt.(*sql.Show); ok {
		return nil, errors.New("the line is down")
	}
	return &Outcome{Notes: []string{"from elsewhere"}, Query: e}, nil
}

func (e *elsewhere) Complete(before, _ string) ([]string, int) {
	at := strings.LastIndexByte(before, ' ') + 1
	if strings.HasPrefix("far", before[at:]) {
		return []string{"far"}, at
	}
	return nil, at
}

func (e *elsewhere) Schema() types.Schema {
	return types.Schema{{Name: "a", Type: types.StringType}}
}

func (e *elsewhere) Into() string { return e.into }

func (e *elsewhere) Start(sink connector.Sink) (Run, error) {
	return &elsewhereRun{e, sink}, nil
}

type elsewhereRun struct {
	*elsewhere
	sink connector.Sink
}

func (r *elsewhereRun) Run(ctx context.Context) error {
	if r.sink != nil {
		arena := (&vector.Pool{}).Get()
		column := vector.NewBuilder(arena, vector.Bytes, 1)
		column.AppendBytes([]byte("row"))
		b := &vector.Batch{Cols: arena.Columns(1), N: 1, Arena: arena}
		b.Cols[0] = column.Done()
		if err := r.sink.Write(b); err != nil {
			return err
		}
	}
	close(r.began)
	<-ctx.Done()
	r.ended++
	return nil
}

func (r *elsewhereRun) Progress(time.Duration) string { return "far away" }

func (r *elsewhereRun) Summarize(w io.Writer, _ time.Duration) { fmt.Fprintln(w, "it was far") }

// TestPlace: the shell runs what it is given where it is told to, shows what comes, and stops it.
func TestPlace(t *testing.T) {
	for _, into := range []string{"", "job"} {
		place := &elsewhere{into: into, began: make(chan struct{})}
		term := newTerminalAt(t, "", place)
		term.keys("SELECT * FROM f<tab>")
		term.shows("tidemark> SELECT * FROM far▏")
		term.keys(";<enter>")
		for began := false; !began; {
			select {
			case m := <-term.msgs:
				term.send(m)
			case <-place.began:
				began = true
			}
		}
		view := term.model.View().Content
		if !strings.Contains(view, "far away") || strings.Contains(view, "row") != (into == "") {
			t.Errorf("it shows\n%s", view)
		}
		term.keys("<ctrl+c>")
		if got := term.said(); !strings.Contains(got, "note: from elsewhere") || !strings.HasSuffix(got, "it was far\nstopped") || place.ended != 1 {
			t.Errorf("it says\n%s", got)
		}
		term.keys("SHOW TABLES;<enter>")
		if got := term.said(); !strings.HasSuffix(got, "error: the line is down") {
			t.Errorf("it says\n%s", got)
		}
		term.keys("HE<tab>")
		term.shows("tidemark> HELP▏")
	}
}
