package engine

import (
	"errors"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// able is a source that can do whatever a source can.
type able struct {
	connector.Source
	asked []string
}

var errOut = errors.New("out of reach")

func (a *able) ask(what string) { a.asked = append(a.asked, what) }

func (a *able) Discover(int64) ([]connector.Split, int64, error) {
	a.ask("Discover")
	return nil, 0, nil
}
func (a *able) Listen(chan<- struct{}) { a.ask("Listen") }
func (a *able) Close() error           { a.ask("Close"); return nil }
func (a *able) Size() int64            { a.ask("Size"); return 7 }
func (a *able) KeepTrying()            { a.ask("KeepTrying") }
func (a *able) Outage() error          { a.ask("Outage"); return errOut }

// TestWhatASourceCan: between the runtime and a source there is one that points at options; it hides nothing of what the source can do.
func TestWhatASourceCan(t *testing.T) {
	a := &able{}
	e := New(Options{Connectors: []connector.Connector{{Name: "able", NewSource: func(connector.Table, connector.Options) (connector.Source, error) { return a, nil }}}})
	q := &Query{engine: e}
	s, err := q.open(&plan.Scan{Table: &catalog.Table{Options: connector.Options{"connector": "able"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.(connector.Growing).Discover(0)
	s.(connector.Live).Listen(nil)
	s.(connector.Live).Close()
	if s.(connector.Sized).Size() != 7 || connector.OutageOf(s) != errOut {
		t.Error("the source is not asked")
	}
	s.(connector.Tenacious).KeepTrying()
	if len(a.asked) != 6 {
		t.Errorf("asked for %q", a.asked)
	}
}
