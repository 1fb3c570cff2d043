package main

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// TestTorture kills statements as often as TIDEMARK_TORTURE says, and with Apache Kafka the brokers too; it lets them stand still, and the statements stay away, for longer than a transaction
// may take. Make torture runs it.
func TestTorture(t *testing.T) {
	times, err := strconv.Atoi(os.Getenv("TIDEMARK_TORTURE"))
	if err != nil {
		t.Skip("TIDEMARK_TORTURE does not say how often")
	}
	const rows = 60_000
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		seed := uint64(os.Getpid())
		tr := &torturer{t: t, rng: rand.New(rand.NewPCG(2, seed)), brokers: b.Embedded == nil && os.Getenv("TIDEMARK_KAFKA_PIDFILE") != ""}
		begun, all := time.Now(), 0
		defer func() {
			t.Logf("seed %d: %d statements killed, %d of them away for longer than a transaction may take; %d brokers killed, %d stood still; %d rows in %s, none lost and none twice: %t",
				seed, tr.kills, tr.aways, tr.brokerKills, tr.pauses, all, time.Since(begun).Round(time.Second), !t.Failed())
		}()
		for tr.total() < times && !t.Failed() {
			before := tr.total()
			everyRowOnce(t, b, rows, ", 'properties.transaction.timeout.ms' = '5000'", func(args ...string) {
				outlive(t, func() (harm, bool) {
					if tr.total() >= times || tr.total() >= before+25 {
						return nil, false
					}
					return tr.next(), true
				}, args...)
				// A broker that is harmed behind the end of the last statement has to be there for who looks.
				tr.pending.Wait()
				b.Await(t)
			})
			all += rows
		}
	})
}

// torturer chooses what happens next.
type torturer struct {
	t                                 *testing.T
	rng                               *rand.Rand
	brokers                           bool           // they can be harmed
	pending                           sync.WaitGroup // harm that is still to come to them
	kills, aways, brokerKills, pauses int
}

func (x *torturer) total() int { return x.kills + x.brokerKills + x.pauses }

// tooLong is longer than transactions may take, and than brokers need to see that.
const tooLong = 6 * time.Second

func (x *torturer) next() harm {
	n := x.rng.IntN(100)
	switch {
	case x.brokers && n < 3:
		x.brokerKills++
		return func(*os.Process) func() {
			x.after(50, 500, func() { x.signal(syscall.SIGKILL) })
			return func() {}
		}
	case x.brokers && n < 6:
		x.pauses++
		return func(*os.Process) func() {
			x.after(50, 500, func() {
				x.signal(syscall.SIGSTOP)
				<-time.After(tooLong)
				x.signal(syscall.SIGCONT)
			})
			return func() {}
		}
	case n < 11:
		x.kills++
		x.aways++
		kill := killWithin(x.rng, 100, 900)
		return func(p *os.Process) func() {
			after := kill(p)
			return func() {
				after()
				<-time.After(tooLong)
			}
		}
	case n < 60:
		x.kills++
		return killWithin(x.rng, 100, 900)
	}
	x.kills++
	return killWithin(x.rng, 5, 150)
}

func (x *torturer) after(least, most int, f func()) {
	x.pending.Add(1)
	time.AfterFunc(time.Duration(least+x.rng.IntN(most-least))*time.Millisecond, func() {
		defer x.pending.Done()
		f()
	})
}

// signal sends a signal to Apache Kafka as it runs now.
func (x *torturer) signal(s syscall.Signal) {
	b, err := os.ReadFile(os.Getenv("TIDEMARK_KAFKA_PIDFILE"))
	if err != nil {
		x.t.Error(err)
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
		syscall.Kill(pid, s)
	}
}
