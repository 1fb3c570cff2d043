package watermark

import (
	"math/rand/v2"
	"testing"
)

// The snapshot foretells when a silent split turns idle: not a microsecond before, and then.
func TestSnapshotForetellsIdleness(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		idleness := []Idleness{Never{}, Fixed{Timeout: 1 + random.Int64N(90)}, Progressive{From: 20, To: 60}, Stepped{Timeout: 1 + random.Int64N(90), Step: 1 + random.Int64N(40)}}[random.IntN(4)]
		strategy := Replay(1)
		strategy.Idleness = idleness
		type op struct {
			kind int
			now  int64
		}
		var ops []op
		now, stalls := int64(random.IntN(200)), 0
		born := now
		for range random.IntN(8) {
			now += random.Int64N(40)
			o := op{random.IntN(3), now}
			switch {
			case o.kind == 1:
				stalls++
			case o.kind == 2 && stalls == 0:
				o.kind = 0
			case o.kind == 2:
				stalls--
			}
			ops = append(ops, o)
		}
		replay := func() *Core {
			c := newCore(strategy, born)
			c.AddSplit(born)
			for _, o := range ops {
				switch o.kind {
				case 0:
					c.Observe(0, []int64{o.now}, []int64{o.now}, o.now, new(Observed))
				case 1:
					c.Stall(0, o.now)
				case 2:
					c.Unstall(0, o.now)
				}
			}
			return c
		}
		now += random.Int64N(40)
		told := replay()
		told.Publish(now)
		said := told.Load().Splits[0]
		silent, from, blocked := int64(0), born, 0
		for _, o := range append(ops, op{3, now}) {
			if blocked == 0 {
				silent += o.now - from
			}
			from = o.now
			switch o.kind {
			case 0:
				silent = 0
			case 1:
				blocked++
			case 2:
				blocked--
			}
		}
		if said.Silent != silent {
			t.Fatalf("%v, %v: silent for %d at %d, want %d", idleness, ops, said.Silent, now, silent)
		}
		idleAt := func(at int64) bool {
			c := replay()
			c.Tick(at, new(Observed))
			c.Publish(at)
			return c.Load().Splits[0].Status == Idle
		}
		switch {
		case said.IdleIn == NeverIdle || stalls > 0 && said.IdleIn > 0:
			if idleAt(now + 1_000) {
				t.Fatalf("%v, %v: idle, and it was said never to be", idleness, ops)
			}
		case said.IdleIn > 0 && idleAt(now+said.IdleIn-1):
			t.Fatalf("%v, %v: at %d it was said to turn idle in %d, and does before", idleness, ops, now, said.IdleIn)
		case !idleAt(now + said.IdleIn):
			t.Fatalf("%v, %v: at %d it was said to turn idle in %d, and does not", idleness, ops, now, said.IdleIn)
		}
	}
}
