package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// ledger is a coordinator that keeps the transactions of one producer after the other in memory, as the protocol has them: a transaction is open, committed or aborted, and who does not have
// the newest epoch of a producer is refused.
type ledger struct {
	epochs [2]int16
	open   [2]int64       // the number of the transaction that is open, recorded or not; 0 if none
	marked [2]bool        // the number is recorded in it
	ended  map[int64]bool // how, as who ended it knows
	done   map[int64]bool // how, as who reads sees it
	seen   int64
	lost   [2]int64 // the number of a transaction that has ended, and whose partitions have not been told; 0 if none
	loses  bool     // that happens to those that end now
	fails  int      // at which call; 0 for none
	calls  int
}

var errAway = errors.New("the brokers are away")

func (l *ledger) call() error {
	if l.calls++; l.calls == l.fails {
		return errAway
	}
	return nil
}

func (l *ledger) end(which int, commit bool) {
	if n := l.open[which]; n > 0 {
		l.ended[n] = commit
		if l.loses && l.lost[which] == 0 {
			l.lost[which] = n
		} else {
			l.mark(which, n, commit)
			l.mark(which, l.lost[which], commit)
			l.lost[which] = 0
		}
		l.open[which], l.marked[which] = 0, false
	}
	l.epochs[which]++
}

// mark has readers see the end of a transaction. It sees no difference between one and another before it that partitions have not been told of.
func (l *ledger) mark(which int, n int64, commit bool) {
	if n == 0 {
		return
	}
	l.done[n] = commit
	if commit && (l.marked[which] || l.lost[which] == n) {
		l.seen = max(l.seen, n)
	}
}

func (l *ledger) complete(_ context.Context, p prepared) error {
	if l.lost[p.which] == p.number {
		l.mark(p.which, p.number, true)
		l.lost[p.which] = 0
	}
	return l.call()
}

func (l *ledger) recorded(_ context.Context, settled bool) (int64, error) {
	if settled && (l.open[0] > 0 || l.open[1] > 0) {
		panic("asked to wait for what nobody ends")
	}
	return l.seen, l.call()
}

// commit happens before the answer is lost, if it is.
func (l *ledger) commit(_ context.Context, p prepared) (bool, error) {
	ok := true
	switch {
	case l.epochs[p.which] == p.epoch+1 && l.open[p.which] == 0 && l.ended[p.number]:
	case l.epochs[p.which] == p.epoch && l.open[p.which] > 0:
		l.end(p.which, true)
	default:
		ok = false
	}
	return ok, l.call()
}

func (l *ledger) claim(context.Context) error {
	for which := range l.open {
		l.end(which, false)
		l.mark(which, l.lost[which], false)
		l.lost[which] = 0
	}
	return l.call()
}

// TestEveryEndOfARun has a statement die at every point of the protocol, with its transactions timing out or not, the note that a checkpoint was shown lost or not, the markers of the
// transactions that end lost by brokers that die too or not, and the recovery failing at each of its calls before it succeeds; again and again. Whatever happens, the transactions that are committed are those that the checkpoints are of.
func TestEveryEndOfARun(t *testing.T) {
	const (
		written = iota // rows of an epoch
		recorded
		filed // the checkpoint is durable
		committed
		noted
		points
	)
	cases := 0
	for first := range points {
		for second := range points {
			for how := range 1 << 4 {
				for fails := range 6 {
					cases++
					l := &ledger{done: map[int64]bool{}, ended: map[int64]bool{}}
					type file struct {
						prepared
						shown bool
					}
					files := []file{{}} // the newest two, and the beginning
					rows := map[int64]int64{}
					name := fmt.Sprintf("dies at %d, then at %d, %04b, recovery fails at %d", first, second, how, fails)
					for run, dies := range []int{first, second, noted} {
						// A recovery that fails is begun again.
						l.calls, l.fails = 0, fails
						var number int64
						for {
							newest := files[len(files)-1]
							n, err := settle(t.Context(), l, newest.prepared, newest.shown)
							if errors.Is(err, errAway) {
								continue
							}
							if errors.Is(err, connector.ErrUndone) {
								if len(files) < 2 {
									t.Fatalf("%s: the beginning is undone", name)
								}
								delete(rows, newest.number)
								files = files[:len(files)-1]
								continue
							}
							if err != nil {
								t.Fatalf("%s: %v", name, err)
							}
							number = n
							break
						}
						for n := range rows {
							if !l.done[n] {
								t.Fatalf("%s: the rows of transaction %d are in a checkpoint and were given up", name, n)
							}
						}
						which := 0
						for epoch := range 3 {
							number++
							at := noted
							if epoch == 2 || run < 2 && epoch == 1 {
								at = dies
							}
							l.open[which], l.marked[which] = number, false
							delete(l.done, number)
							p := prepared{number: number, doubt: true, which: which, epoch: l.epochs[which]}
							if at >= recorded {
								l.marked[which] = true
							}
							if at >= filed {
								files = append(files, file{p, false})
								rows[number] = number
							}
							if at >= committed {
								l.loses = how&8 != 0
								l.end(which, true)
								l.loses = false
							}
							if at >= noted {
								l.complete(t.Context(), p) // as who has committed does
							}
							if at >= noted && how&1 == 0 {
								files[len(files)-1].shown = true
							}
							which = 1 - which
							if at < noted {
								break
							}
						}
						if how&2 != 0 && l.open[which] == 0 { // what was written behind the checkpoint
							l.open[which] = number + 1
						}
						if how&4 != 0 { // the process is away for longer than transactions may take
							for which := range l.open {
								if l.open[which] > 0 {
									l.loses = how&8 != 0
									l.end(which, false)
									l.loses = false
								}
							}
						}
					}
					l.fails = 0
					newest := files[len(files)-1]
					if _, err := settle(t.Context(), l, newest.prepared, newest.shown); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					for n, ok := range l.done {
						if rows[n] == 0 && ok {
							t.Fatalf("%s: transaction %d is committed, and no checkpoint has it", name, n)
						}
					}
					for n := range rows {
						if !l.done[n] {
							t.Fatalf("%s: transaction %d is in a checkpoint, and not committed", name, n)
						}
					}
				}
			}
		}
	}
	t.Logf("%d lives", cases)
}

// TestForgottenTransactions: what brokers no longer know is not guessed.
func TestForgottenTransactions(t *testing.T) {
	p := prepared{number: 7, doubt: true, epoch: 3}
	gone := func() *ledger {
		return &ledger{epochs: [2]int16{9, 9}, done: map[int64]bool{}, ended: map[int64]bool{}}
	}
	if _, err := settle(t.Context(), gone(), p, false); fault.Of(err) != fault.User || errors.Is(err, connector.ErrUndone) {
		t.Errorf("without a trace: %v", err)
	}
	if n, err := settle(t.Context(), gone(), p, true); err != nil || n != 7 {
		t.Errorf("with a note: %d, %v", n, err)
	}
	p.doubt = false
	if n, err := settle(t.Context(), gone(), p, false); err != nil || n != 7 {
		t.Errorf("of an epoch without rows: %d, %v", n, err)
	}
	p = prepared{number: 1, doubt: true, epoch: 3}
	if _, err := settle(t.Context(), gone(), p, false); !errors.Is(err, connector.ErrUndone) {
		t.Errorf("the first: %v", err)
	}
}

// TestPreparedBytes holds the encoding of docs/state.md.
func TestPreparedBytes(t *testing.T) {
	p := prepared{number: 300, doubt: true, base: "tidemark-x", which: 1, producer: 4001, epoch: 5}
	const want = "\x01\xd8\x04\x06\x14tidemark-x\xc2\x3e\x0a"
	if got := string(p.append(nil)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, err := readPrepared([]byte(want)); err != nil || got != p {
		t.Errorf("%+v, %v", got, err)
	}
	for i := 1; i < len(want); i++ {
		if _, err := readPrepared([]byte(want[:i])); err == nil {
			t.Errorf("%d bytes are taken for all", i)
		}
	}
}

func FuzzPrepared(f *testing.F) {
	for _, p := range []prepared{{}, {number: 1, doubt: true, base: "tidemark-a", producer: 1 << 40, epoch: 32766}, {number: 1 << 50, which: 1, producer: -1, epoch: -1}} {
		f.Add(p.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := readPrepared(b)
		if err != nil || len(b) == 0 {
			return
		}
		again := p.append(nil)
		if back, err := readPrepared(again); err != nil || back != p {
			t.Errorf("%q is %+v, and %q is %+v, %v", b, p, again, back, err)
		}
		if len(again) > len(b) || len(again) == len(b) && !bytes.Equal(again, b) {
			t.Errorf("%q is written %q", b, again)
		}
	})
}
