package kafka

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
)

// brokers are the coordinator of the statement.
func (x *exact) brokers() *brokers {
	return &brokers{transactions: x.sink.(*sink).shared, client: x.b.Client(x.t)}
}

// TestPartitionsThatHaveNotHeard tells partitions how a transaction ended that are still waiting to hear. The broker of this process never leaves them waiting.
func TestPartitionsThatHaveNotHeard(t *testing.T) {
	b := brokertest.Target{Addr: brokertest.Kafka(t, "TIDEMARK_KAFKA")}
	for name, commit := range map[string]bool{"committed": true, "given up": false} {
		t.Run(name, func(t *testing.T) {
			x := newExact(t, b)
			x.begin(nil, false)
			x.write(2)
			_, state := x.prepare()
			p, err := readPrepared(state)
			if err != nil {
				t.Fatal(err)
			}
			ctx, done := context.WithTimeout(t.Context(), time.Minute)
			defer done()
			e := end{transactionalID(p.base, p.which), p.producer, p.epoch, commit}
			if err := x.brokers().mark(ctx, end{e.id, e.producer, e.epoch - 1, !commit}); err != nil { // who began it is newer
				t.Fatal(err)
			}
			if err := x.brokers().mark(ctx, e); err != nil {
				t.Fatal(err)
			}
			seen, err := x.brokers().recorded(ctx, true)
			if want := map[bool]int64{true: 1}[commit]; err != nil || seen != want {
				t.Errorf("the group has transaction %d, want %d, %v", seen, want, err)
			}
			x.die()
			if commit {
				x.expect(1, 2)
			} else {
				x.expect()
			}
		})
	}
}

// TestCommitLooksForMarkersThatAreLeftOut: when a checkpoint is committed all partitions have heard of it.
func TestCommitLooksForMarkersThatAreLeftOut(t *testing.T) {
	r := brokertest.StartRefuser(t)
	x := newExact(t, r.Target)
	x.begin(nil, false)
	x.write(2)
	e, state := x.prepare()
	p, err := readPrepared(state)
	if err != nil {
		t.Fatal(err)
	}
	told := r.LeaveOut(x.topic, p.producer, p.epoch)
	if err := e.Commit(); err != nil {
		t.Fatal(err)
	}
	select {
	case m := <-told:
		if !m.Committed || len(m.Topics) != 1 || m.Topics[0].Topic != x.topic {
			t.Errorf("the partition was told %+v", m)
		}
	default:
		t.Error("the partition still waits")
	}
	x.die()
}

// preparedByMany has many statements write three rows each and prepare a transaction, which times out after so many milliseconds.
func preparedByMany(t *testing.T, b brokertest.Target, timeout string) (all []*exact, states [][]byte, epochs []connector.Epoch) {
	t.Helper()
	const statements = 30
	all, states, epochs = make([]*exact, statements), make([][]byte, statements), make([]connector.Epoch, statements)
	var writers sync.WaitGroup
	for i := range all {
		all[i] = newExact(t, b, "properties.transaction.timeout.ms", timeout)
		writers.Go(func() {
			all[i].begin(nil, false)
			all[i].write(3)
			epochs[i], states[i] = all[i].prepare()
		})
	}
	writers.Wait()
	return all, states, epochs
}

// TestMarkersThatBrokersLeaveOut kills Apache Kafka while many statements have transactions open, and some are committing theirs. When it starts again it leaves out the markers of some of them
// (KAFKA-20734). Every row can be read once all the same.
func TestMarkersThatBrokersLeaveOut(t *testing.T) {
	b, times, kill := killable(t)
	for range times {
		all, states, epochs := preparedByMany(t, b, "8000")
		if t.Failed() {
			return
		}
		var writers sync.WaitGroup
		for i := range all {
			if i%2 == 0 {
				writers.Go(func() { epochs[i].Commit() })
			}
		}
		<-time.After(30 * time.Millisecond)
		kill()
		for _, x := range all {
			x.sink.(*sink).shared.cancel()
		}
		writers.Wait()
		for _, x := range all {
			x.die()
		}
		b.Await(t)
		undone := 0
		for i, x := range all {
			switch err := x.start(states[i], false); {
			case errors.Is(err, connector.ErrUndone):
				undone++
				x.next = 0
				x.begin(nil, false)
				x.write(3)
			case err != nil:
				t.Fatal(err)
			}
			x.write(1)
			x.checkpoint()
			if got := x.read(); strings.Join(got, "") != strings.Join(lines(1, 2, 3, 4), "") {
				t.Errorf("statement %d, undone or not, has %q", i, got)
			}
			x.die()
		}
		t.Logf("%d of %d undone", undone, len(all))
	}
}

// killable is Apache Kafka, what kills it, and how often that is to be done: once for every 25 of TIDEMARK_TORTURE.
func killable(t *testing.T) (b brokertest.Target, times int, kill func()) {
	t.Helper()
	times, err := strconv.Atoi(os.Getenv("TIDEMARK_TORTURE"))
	pidFile := os.Getenv("TIDEMARK_KAFKA_PIDFILE")
	if err != nil || pidFile == "" {
		t.Skip("TIDEMARK_TORTURE does not say how often, or there is no Apache Kafka")
	}
	b = brokertest.Target{Addr: brokertest.Kafka(t, "TIDEMARK_KAFKA")}
	b.Topic(t, 250) // It takes longer to start, and has more time to leave markers out.
	return b, (times + 24) / 25, func() {
		t.Helper()
		pid, err := os.ReadFile(pidFile)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(pid)))
		if err != nil {
			t.Fatal(err)
		}
		syscall.Kill(n, syscall.SIGKILL)
	}
}

// TestMarkersThatAreLeftOutOfLivingStatements kills Apache Kafka in the moment in which many statements commit, and lets them live. When they are killed later, behind another checkpoint or in the
// middle of what follows it, every row can be read once.
func TestMarkersThatAreLeftOutOfLivingStatements(t *testing.T) {
	b, times, kill := killable(t)
	for round := range times {
		all, states, epochs := preparedByMany(t, b, "60000")
		if t.Failed() {
			return
		}
		var writers sync.WaitGroup
		ends := make([]error, len(all))
		for i := range all {
			writers.Go(func() { ends[i] = epochs[i].Commit() })
		}
		<-time.After(time.Duration(10+20*(round%4)) * time.Millisecond)
		kill()
		b.Await(t)
		writers.Wait()
		again := 0
		for i, x := range all {
			if ends[i] != nil { // as the supervisor does
				again++
				t.Log(ends[i])
				x.die()
				if err := x.start(states[i], false); errors.Is(err, connector.ErrUndone) { // the broker was away for longer than a transaction may take
					x.next = 0
					x.begin(nil, false)
					x.write(3)
				} else if err != nil {
					t.Fatal(err)
				}
			}
			x.write(1)
			state := x.checkpoint()
			if i%2 == 0 {
				x.write(1)
				x.sink.(*sink).shared.pair[0].client.Flush(t.Context())
			}
			x.die()
			x.next = 4
			x.begin(state, false)
			x.write(1)
			x.checkpoint()
			if got := x.read(); strings.Join(got, "") != strings.Join(lines(1, 2, 3, 4, 5), "") {
				t.Errorf("statement %d has %q", i, got)
			}
			x.die()
		}
		t.Logf("%d of %d begun again", again, len(all))
	}
}

// lines are rows as they are in the topic.
func lines(ids ...int64) (all []string) {
	for _, id := range ids {
		all = append(all, `{"id":`+strconv.FormatInt(id, 10)+`,"name":"a"}`)
	}
	return all
}

// read is what whoever reads committed rows can read now; if nothing more comes of what was written he has waited for long enough.
func (x *exact) read() (got []string) {
	x.t.Helper()
	ctx, done := context.WithTimeout(x.t.Context(), 30*time.Second)
	defer done()
	x.b.Send(x.t, false, &brokertest.Record{Topic: x.topic, Value: []byte("end")})
	c := x.b.Client(x.t, kgo.ConsumeTopics(x.topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	for {
		f := c.PollFetches(ctx)
		if ctx.Err() != nil {
			return append(got, "and then nothing")
		}
		for _, r := range f.Records() {
			if string(r.Value) == "end" {
				return got
			}
			got = append(got, string(r.Value))
		}
	}
}
