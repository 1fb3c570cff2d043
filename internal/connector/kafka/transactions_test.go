package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// exact is a statement that writes exactly once to a topic, run after run.
type exact struct {
	t     *testing.T
	b     brokertest.Target
	topic string
	table connector.Table
	more  []string
	sink  connector.Sink
	next  int64
}

func newExact(t *testing.T, b brokertest.Target, more ...string) *exact {
	return &exact{t: t, b: b, topic: b.Topic(t, 1), table: columns(), more: append([]string{optionGuarantee, "exactly-once"}, more...)}
}

// start begins a run at a checkpoint.
func (x *exact) start(state []byte, shown bool) error {
	x.sink = sinkOf(x.t, Connector, x.table, options(x.b, x.topic, x.more...))
	return x.sink.(connector.Checkpointed).Recover(connector.Recovery{Statement: x.topic, State: state, Shown: shown})
}

func (x *exact) begin(state []byte, shown bool) {
	x.t.Helper()
	if err := x.start(state, shown); err != nil {
		x.t.Fatal(err)
	}
}

// write writes the next rows.
func (x *exact) write(n int) {
	x.t.Helper()
	var rows []change
	for range n {
		x.next++
		rows = append(rows, change{vector.Insert, x.next, "a"})
	}
	if err := x.sink.Write(batchOf(x.table, rows...)); err != nil {
		x.t.Fatal(err)
	}
}

func (x *exact) prepare() (connector.Epoch, []byte) {
	x.t.Helper()
	e, err := x.sink.(connector.Checkpointed).Seal()
	if err != nil {
		x.t.Fatal(err)
	}
	state, err := e.Prepare()
	if err != nil {
		x.t.Fatal(err)
	}
	return e, state
}

func (x *exact) checkpoint() []byte {
	x.t.Helper()
	e, state := x.prepare()
	if err := e.Commit(); err != nil {
		x.t.Fatal(err)
	}
	return state
}

// die ends a run as the end of its process does: nobody gives anything up.
func (x *exact) die() { x.sink.(*sink).shared.close() }

// expect looks at what whoever reads committed rows sees, from the first to a record that is written behind them.
func (x *exact) expect(want ...int64) {
	x.t.Helper()
	end := fmt.Sprintf("end after %d", len(want))
	x.b.Send(x.t, false, &brokertest.Record{Topic: x.topic, Value: []byte(end)})
	c := x.b.Client(x.t, kgo.ConsumeTopics(x.topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	var got, wanted []string
	for !slices.Contains(got, end) {
		f := c.PollFetches(context.Background())
		if err := f.Err(); err != nil {
			x.t.Fatal(err)
		}
		for _, r := range f.Records() {
			if v := string(r.Value); v == end || !strings.HasPrefix(v, "end") {
				got = append(got, v)
			}
		}
	}
	for _, id := range want {
		wanted = append(wanted, fmt.Sprintf(`{"id":%d,"name":"a"}`, id))
	}
	if got = got[:len(got)-1]; !slices.Equal(got, wanted) {
		x.t.Errorf("%q can be read, want %q", got, wanted)
	}
}

// claim is somebody else with the ids of the statement, or the brokers themselves when its transactions take too long: what it has begun is given up.
func (x *exact) claim() {
	x.t.Helper()
	x.b.GiveUp(x.t, defaultPrefix+"-"+x.topic)
}

// TestACommitThatGivesUp: a client that gives up what it was to commit, and says that all is well, is found out.
func TestACommitThatGivesUp(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		x := newExact(t, b)
		x.begin(nil, false)
		x.write(1)
		one := x.checkpoint()
		x.write(1)
		epoch, two := x.prepare()
		e := epoch.(*transaction)
		if err := e.producer.client.EndTransaction(context.Background(), kgo.TryAbort); err != nil {
			t.Fatal(err)
		}
		if err := e.completeLast(); fault.Of(err) != fault.External || !strings.Contains(err.Error(), "given up") {
			t.Errorf("the end is found to be: %v", err)
		}
		x.die()
		if err := x.start(two, false); !errors.Is(err, connector.ErrUndone) {
			t.Fatalf("what was given up: %v", err)
		}
		x.begin(one, false)
		x.expect(1)
	})
}

// TestCrashPoints is the table of docs/decisions/exactly-once.md, line by line.
func TestCrashPoints(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, c := range []struct {
			name string
			run  func(x *exact)
		}{
			{"before anything", func(x *exact) {
				x.begin(nil, false)
				x.write(2)
				x.die()
				x.begin(nil, false)
				x.write(1)
				x.checkpoint()
				x.expect(3)
			}},
			{"before it is prepared", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				one := x.checkpoint()
				x.write(2)
				x.die()
				x.begin(one, true)
				x.expect(1)
			}},
			{"prepared and not in a file", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				one := x.checkpoint()
				x.write(2)
				x.prepare()
				x.write(2)
				x.die()
				x.begin(one, false)
				x.expect(1)
			}},
			{"in a file and not committed", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				x.checkpoint()
				x.write(2)
				_, two := x.prepare()
				x.write(3)
				x.die()
				x.begin(two, false)
				x.expect(1, 2, 3)
				x.write(1)
				x.checkpoint()
				x.expect(1, 2, 3, 7)
			}},
			{"committed", func(x *exact) {
				x.begin(nil, false)
				x.write(2)
				one := x.checkpoint()
				x.write(2)
				x.die()
				x.begin(one, false)
				x.expect(1, 2)
			}},
			{"committed, and run since", func(x *exact) {
				x.begin(nil, false)
				x.write(2)
				one := x.checkpoint()
				x.die()
				x.begin(one, false)
				x.write(2)
				x.die()
				x.begin(one, false)
				x.expect(1, 2)
			}},
			{"the time is over", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				one := x.checkpoint()
				x.write(1)
				_, two := x.prepare()
				x.die()
				x.claim()
				if err := x.start(two, false); !errors.Is(err, connector.ErrUndone) {
					x.t.Fatalf("what was given up: %v", err)
				}
				x.begin(one, false)
				x.expect(1)
				x.write(1)
				x.checkpoint()
				x.expect(1, 3)
			}},
			{"the time of the first is over", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				_, one := x.prepare()
				x.die()
				x.claim()
				if err := x.start(one, false); !errors.Is(err, connector.ErrUndone) {
					x.t.Fatalf("what was given up: %v", err)
				}
				x.begin(nil, false)
				x.expect()
			}},
			{"the time is over while it runs", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				one := x.checkpoint()
				x.write(1)
				e, two := x.prepare()
				x.claim()
				if err := e.Commit(); err == nil {
					x.t.Fatal("what was given up was committed")
				}
				x.die()
				if err := x.start(two, false); !errors.Is(err, connector.ErrUndone) {
					x.t.Fatalf("what was given up: %v", err)
				}
				x.begin(one, false)
				x.expect(1)
			}},
			{"no rows", func(x *exact) {
				x.begin(nil, false)
				x.checkpoint()
				x.write(1)
				x.checkpoint()
				three := x.checkpoint()
				x.checkpoint()
				x.write(1)
				x.die()
				x.begin(three, false)
				x.expect(1)
			}},
			{"an end in order", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				x.checkpoint()
				x.write(2)
				if err := x.sink.(connector.Aborting).Abort(); err != nil {
					x.t.Fatal(err)
				}
				x.expect(1) // without anybody who claims the ids
			}},
			{"a failure while it is prepared", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				one := x.checkpoint()
				x.write(1)
				e, err := x.sink.(connector.Checkpointed).Seal()
				if err == nil {
					err = x.sink.(connector.Aborting).Abort()
				}
				if err != nil {
					x.t.Fatal(err)
				}
				if _, err := e.Prepare(); !errors.Is(err, connector.ErrClosed) {
					x.t.Errorf("what was given up was prepared: %v", err)
				}
				x.begin(one, false)
				x.expect(1)
			}},
			{"a failure between the file and the commit", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				e, one := x.prepare()
				x.write(1)
				if err := x.sink.(connector.Aborting).Abort(); err != nil {
					x.t.Fatal(err)
				}
				if err := e.Commit(); !errors.Is(err, connector.ErrClosed) {
					x.t.Errorf("committed by a sink that was closed: %v", err)
				}
				x.begin(one, false)
				x.expect(1)
			}},
			{"another prefix", func(x *exact) {
				x.begin(nil, false)
				x.write(1)
				x.checkpoint()
				x.write(1)
				_, two := x.prepare()
				x.write(1)
				x.die()
				x.more = append(x.more, optionPrefix, "other")
				x.begin(two, false)
				x.expect(1, 2)
				x.write(1)
				three := x.checkpoint()
				x.die()
				x.begin(three, false)
				x.expect(1, 2, 4)
			}},
		} {
			t.Run(c.name, func(t *testing.T) {
				x := newExact(t, b)
				x.t = t
				c.run(x)
				if x.sink.(*sink).shared.pair[0].client != nil {
					x.die()
				}
			})
		}
	})
}

// TestEpochsOfAClosedSink: a checkpoint is on its way when its statement fails, which closes the sink.
func TestEpochsOfAClosedSink(t *testing.T) {
	b := brokertest.Start(t)
	for _, prepared := range []bool{false, true} {
		x := newExact(t, b)
		x.begin(nil, false)
		x.write(1)
		e, err := x.sink.(connector.Checkpointed).Seal()
		if err != nil {
			t.Fatal(err)
		}
		last := func() error { _, err := e.Prepare(); return err }
		if prepared {
			if err := last(); err != nil {
				t.Fatal(err)
			}
			last = e.Commit
		}
		if err := x.sink.(connector.Aborting).Abort(); err != nil {
			t.Fatal(err)
		}
		if err := last(); !errors.Is(err, connector.ErrClosed) {
			t.Errorf("prepared: %t: %v", prepared, err)
		}
	}
}

// BenchmarkTransaction writes a row in a transaction, prepares and commits it: what a checkpoint costs at least.
func BenchmarkTransaction(b *testing.B) {
	for name, target := range map[string]func() brokertest.Target{
		"embedded": func() brokertest.Target { return brokertest.Start(b) },
		"kafka":    func() brokertest.Target { return brokertest.Target{Addr: brokertest.Kafka(b, "TIDEMARK_KAFKA")} },
	} {
		b.Run(name, func(b *testing.B) {
			broker := target()
			topic, table := broker.Topic(b, 8), columns()
			s := sinkOf(b, Connector, table, options(broker, topic, optionGuarantee, "exactly-once")).(*sink)
			if err := s.Recover(connector.Recovery{Statement: topic}); err != nil {
				b.Fatal(err)
			}
			defer s.shared.close()
			for b.Loop() {
				if err := s.Write(batchOf(table, change{vector.Insert, 1, "a"})); err != nil {
					b.Fatal(err)
				}
				e, err := s.Seal()
				if err == nil {
					_, err = e.Prepare()
				}
				if err == nil {
					err = e.Commit()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
