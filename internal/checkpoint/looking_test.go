package checkpoint

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"testing"
)

// between is a shelf on which something happens before the call that is numbered at.
type between struct {
	Shelf
	calls, at int
	happens   func()
}

func (b *between) Open(name string) (Readable, error) {
	if b.calls++; b.calls == b.at {
		b.happens()
	}
	return b.Shelf.Open(name)
}

// TestWhoLooksMeanwhile reads checkpoints while others are written at any call of the reader, and at any call of the writer: a checkpoint is whole, or is not there any more.
func TestWhoLooksMeanwhile(t *testing.T) {
	gone := 0
	for at := 1; ; at++ {
		disk, f, w := sharers(t)
		for id := int64(3); id <= 4; id++ {
			s := &between{Shelf: disk, at: at, happens: func() {
				for range 3 {
					w.change()
					w.runs = map[string][]byte{}
					if err := w.write(f, f.IDs()[len(f.IDs())-1]+1); err != nil {
						t.Fatal(err)
					}
				}
			}}
			r, err := Read(s, id)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				gone++
			case err != nil:
				t.Fatalf("call %d: %v", at, err)
			default:
				if _, err := w.read(r); err != nil {
					t.Fatalf("call %d: %v", at, err)
				}
				r.Close()
			}
			if s.calls < at && id == 4 {
				if gone == 0 {
					t.Error("no checkpoint was removed meanwhile")
				}
				return
			}
		}
	}
}

// TestWhoLooksAtEveryCall has somebody look at every call of a writer.
func TestWhoLooksAtEveryCall(t *testing.T) {
	w, disk := newWorld(rand.New(rand.NewPCG(5, 5))), newFaultyDisk(1)
	looked, looking := 0, false
	disk.called = func() {
		if looking {
			return
		}
		looking = true
		defer func() { looking = false }()
		looked++
		l, err := Look(disk)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range l.IDs {
			r, err := Read(disk, id)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.read(r); err != nil {
				t.Fatal(err)
			}
			r.Close()
		}
	}
	f, err := small(disk, 2)
	if err != nil {
		t.Fatal(err)
	}
	for id := int64(1); id <= 60; id++ {
		w.change()
		if err := w.write(f, id); err != nil {
			t.Fatal(err)
		}
	}
	if looked < 600 {
		t.Errorf("looked %d times", looked)
	}
}
