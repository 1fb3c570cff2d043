package engine

import (
	"errors"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestErrors shows how each kind of mistake is explained, wherever it comes to light: while a statement is parsed, bound or planned, or when
// its tables are opened.
func TestErrors(t *testing.T) {
	eachGolden(t, "testdata/errors/*.txt", func(t *testing.T, text source.Text) string {
		err := start(newEngine(t), text)
		if err == nil {
			t.Errorf("is accepted:\n%s", text.Body)
			return "accepted\n"
		}
		var placed *source.Error
		if errors.As(err, &placed) && placed.Hint == "" && placed.Expected == nil {
			t.Errorf("says nothing of what to do:\n%s", render(err))
		}
		return render(err)
	})
}

// start executes a text and makes its queries ready to run, without running them.
func start(e *Engine, text source.Text) error {
	results, err := execute(e, text)
	if err != nil {
		return err
	}
	for _, r := range results {
		if r.Query == nil {
			continue
		}
		sink, err := blackhole.NewSink(connector.Table{}, nil)
		if err != nil {
			return err
		}
		if _, err := r.Query.Start(sink, 1, runtime.Options{Workers: 1}); err != nil {
			return err
		}
	}
	return nil
}
