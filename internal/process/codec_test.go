package process

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// keeping is code that keeps the value of each row under one of two names, and sets a timer for it in one of two streams.
func keeping() *Spec {
	f := noted(func(c *Context, m *Message) error {
		v := m.Cols[1].Int(m.Row)
		c.SetState(c.StateName([]string{"even", "odd"}[v&1]), []byte{byte(v), 1})
		c.SetTimer(Request{Stream: int(v & 1), Trigger: v, EventTime: watermark.NoTime})
		return nil
	})
	return spec(f, 2, TimerStream{Name: "a"}, TimerStream{Name: "b", KeepEqual: true})
}

func kept(t testing.TB) *rig {
	r := newRig(t, keeping())
	for i := range int64(20) {
		r.must(r.row(int(i%2), i%3, 10+i*7%11, i))
	}
	r.must(r.reach(0, 14))
	r.must(r.reach(1, 13))
	r.must(r.row(0, 1, 3, 2)) // due, and waits
	r.got = nil
	return r
}

// What was kept is kept behind a restart, and goes on in the same way; keys that belong to others are left out.
func TestRestore(t *testing.T) {
	a := kept(t)
	before := a.x.Snapshot(nil)
	b := a.again(keeping())
	if once, twice := b.x.Snapshot(nil), b.again(keeping()).x.Snapshot(nil); !bytes.Equal(once, twice) || len(once) < 100 {
		t.Errorf("kept\n%x\nand then\n%x", once, twice)
	}
	for _, r := range []*rig{a, b} {
		r.must(r.reach(0, 14))
		r.must(r.reach(1, 13))
		r.want()
		r.must(r.reach(1, 14))
		r.must(r.reach(0, watermark.Final))
		r.must(r.reach(1, watermark.Final))
	}
	if len(a.got) < 10 || strings.Join(a.got, "\n") != strings.Join(b.got, "\n") {
		t.Errorf("one goes on with\n%s\nand the other with\n%s", strings.Join(a.got, "\n"), strings.Join(b.got, "\n"))
	}
	if states, timers, _ := a.x.Kept(); states == 0 || timers != 0 {
		t.Errorf("%d states and %d timers are left", states, timers)
	}
	none := newRig(t, keeping())
	none.must(none.x.Restore([][]byte{before}, func(uint64) bool { return false }))
	if states, timers, _ := none.x.Kept(); states+timers != 0 {
		t.Errorf("%d states and %d timers of others", states, timers)
	}
}

// A stream of timers that is gone cannot be left behind in silence; states under other names can.
func TestRestoreOther(t *testing.T) {
	before := kept(t).x.Snapshot(nil)
	other := keeping()
	other.Timers = other.Timers[:1]
	x := newRig(t, other).x
	if err := x.Restore([][]byte{before}, func(uint64) bool { return true }); err == nil || !strings.Contains(err.Error(), "computation 'test': it has timers of a stream that is not there any more") {
		t.Error(err)
	}
}

// FuzzRestore: no bytes do harm, and what is taken is written again as it will be read again.
func FuzzRestore(f *testing.F) {
	f.Add(kept(f).x.Snapshot(nil))
	f.Add(newRig(f, keeping()).x.Snapshot(nil))
	f.Add([]byte{processStateVersion})
	f.Fuzz(func(t *testing.T, src []byte) {
		r := newRig(t, keeping())
		if r.x.Restore([][]byte{src}, func(hash uint64) bool { return hash&1 == 0 }) != nil {
			return
		}
		once := r.x.Snapshot(nil)
		again := newRig(t, keeping())
		if err := again.x.Restore([][]byte{once}, func(uint64) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if twice := again.x.Snapshot(nil); !bytes.Equal(once, twice) {
			t.Errorf("%x is read as what is written %x", once, twice)
		}
	})
}
