package blackhole

import (
	"errors"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func TestTakesAndDrops(t *testing.T) {
	s, err := NewSink(connector.Table{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &vector.Batch{N: 1, Arena: new(vector.Pool).Get()}
	if err := errors.Join(s.Write(b), s.Flush(), s.Close()); err != nil || b.Arena == nil {
		t.Errorf("%v; the batch has to stay the caller's", err)
	}
}

func TestCannotBeRead(t *testing.T) {
	_, err := NewSource(connector.Table{}, nil)
	if e, ok := errors.AsType[*connector.OptionError](err); !ok || e.Message != "a table with connector 'blackhole' cannot be read" || e.Hint == "" {
		t.Error(err)
	}
}
