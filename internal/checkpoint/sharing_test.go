package checkpoint

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// TestSharing has a statement take checkpoints, fail, die and lose power at random, against the model: what was committed is there, every checkpoint that is kept is whole whoever looks, and room is bounded.
func TestSharing(t *testing.T) {
	var elsewhere int64
	var renamed, anew int
	for seed := range *lives {
		rng := rand.New(rand.NewPCG(seed, 13))
		w, disk, keep := newWorld(rng), newFaultyDisk(seed), 1+rng.IntN(3)
		f, err := small(disk, keep)
		if err != nil {
			t.Fatal(err)
		}
		id, committed := int64(0), []int64(nil) // those that are to be there
		logical := map[int64]int64{}
		for step := range 120 {
			fatal := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("seed %d, step %d, checkpoint %d: %s", seed, step, id, fmt.Sprintf(format, args...))
			}
			if rng.IntN(4) == 0 {
				disk.failAt, disk.dead = disk.calls+1+rng.IntN(60), rng.IntN(2) == 0
			}
			for range 1 + rng.IntN(4) {
				w.change()
				id++
				if err := w.write(f, id); err != nil {
					if !errors.Is(err, errDisk) {
						fatal("%v", err)
					}
					continue
				}
				committed = newest(append(committed, id), keep)
				anew += len(f.held.sparse)
			}
			failed := disk.failAt > 0 && disk.calls >= disk.failAt
			disk.failAt = 0
			if failed || rng.IntN(12) == 0 {
				if rng.IntN(2) == 0 {
					disk.losePower()
				}
				if f, err = small(disk, keep); err != nil {
					fatal("%v", err)
				}
				r, passed, err := f.Newest()
				if err != nil || len(passed) > 0 {
					fatal("passed over %v, %v", passed, err)
				}
				last := int64(0)
				if len(committed) > 0 {
					last = committed[len(committed)-1]
				}
				if r == nil {
					if last > 0 {
						fatal("%v were committed and none is there", committed)
					}
					clear(w.sections)
					clear(w.runs)
					id = 0
					continue
				}
				if r.ID < last {
					fatal("the newest is %d, and %d was committed", r.ID, last)
				}
				all, err := w.read(r)
				if err != nil {
					fatal("%v", err)
				}
				r.Close()
				w.become(all)
				if id = r.ID; id > last {
					committed = newest(append(committed, id), keep)
				}
			}
			// Whoever looks finds all that are kept.
			l, err := Look(disk)
			if err != nil {
				fatal("%v", err)
			}
			for _, kept := range committed {
				if !slices.Contains(l.IDs, kept) {
					fatal("%v are there, and %v were committed", l.IDs, committed)
				}
				r, err := Read(disk, kept)
				if err != nil {
					fatal("%v", err)
				}
				if _, err := w.read(r); err != nil {
					fatal("%v", err)
				}
				n, files := r.Elsewhere()
				if elsewhere += n; files > mostFiles {
					fatal("%d files are referred to", files)
				}
				logical[kept] = 0
				for _, s := range r.Sections() {
					logical[kept] += r.Length(s)
				}
				r.Close()
			}
			renamed += len(l.shared)
			if !failed && len(l.IDs) > keep && len(committed) >= keep && f.held != nil {
				fatal("%v are there, and %d are to be kept", l.IDs, keep)
			}
			if rng.IntN(10) == 0 && len(committed) > 1 && keep > 1 && len(f.IDs()) > 1 && f.IDs()[len(f.IDs())-1] == committed[len(committed)-1] {
				if err := f.Undo(id); err == nil {
					committed = committed[:len(committed)-1]
					r, _, err := f.Newest()
					if err != nil {
						fatal("%v", err)
					}
					all, err := w.read(r)
					if err != nil {
						fatal("%v", err)
					}
					r.Close()
					w.become(all)
					id = r.ID
				}
			}
		}
	}
	if elsewhere == 0 || renamed == 0 || anew == 0 {
		t.Errorf("nothing was tried: %d bytes elsewhere, %d files renamed, %d written anew", elsewhere, renamed, anew)
	}
}

func newest(ids []int64, keep int) []int64 { return ids[max(len(ids)-keep, 0):] }

var lives = flag.Uint64("lives", 40, "how many statements TestSharing has live")

// TestEveryCallFailsWithSharing has each call to the disk fail in turn while five checkpoints share what they have, as TestEveryCallFails does.
func TestEveryCallFailsWithSharing(t *testing.T) {
	shares := false
	for seed := range uint64(24) {
		for failAt := 1; ; failAt++ {
			w, disk := newWorld(rand.New(rand.NewPCG(seed, 1))), newFaultyDisk(seed)
			disk.dead = seed%2 == 0
			f, err := small(disk, 1+int(seed/4%2))
			if err != nil {
				t.Fatal(err)
			}
			disk.calls, disk.failAt = 0, failAt
			committed := int64(0)
			w.sections["section/0"], w.runs["run/a"] = w.bytes(5000), w.bytes(2000)
			for id := int64(1); id <= 5; id++ {
				if id == 4 {
					w.sections["section/0"] = w.sections["section/0"][3000:]
				}
				w.sections["section/0"] = append(w.sections["section/0"], w.bytes(500)...)
				if w.write(f, id) == nil {
					committed = id
				}
			}
			reached := disk.calls >= failAt
			if seed%4 < 2 {
				disk.losePower()
			}
			disk.failAt = 0
			if f, err = small(disk, 2); err != nil {
				t.Fatalf("seed %d, call %d: %v", seed, failAt, err)
			}
			r, passed, err := f.Newest()
			if err != nil || len(passed) > 0 {
				t.Fatalf("seed %d, call %d: passed over %v, %v", seed, failAt, passed, err)
			}
			if r == nil && committed > 0 || r != nil && r.ID < committed {
				t.Fatalf("seed %d, call %d: checkpoint %d was committed, and the newest is %v", seed, failAt, committed, r)
			}
			if r != nil {
				if _, err := w.read(r); err != nil {
					t.Fatalf("seed %d, call %d: %v", seed, failAt, err)
				}
				n, _ := r.Elsewhere()
				shares = shares || n > 0
			}
			// The next one takes away what nobody refers to any more.
			if err := w.write(f, 6); err != nil {
				t.Fatal(err)
			}
			if err := w.write(f, 7); err != nil {
				t.Fatal(err)
			}
			if n := len(f.shared) + len(f.ids); n > 2+len(f.held.tags) || len(disk.files) > n+2 {
				t.Fatalf("seed %d, call %d: there are %v", seed, failAt, slices.Sorted(maps.Keys(disk.files)))
			}
			if !reached {
				break
			}
		}
	}
	if !shares {
		t.Error("nothing was shared")
	}
}

// TestOrphans: files that checkpoints refer to show that there were some, so that without any the statement does not begin anew.
func TestOrphans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 13))
	w, disk := newWorld(rng), newFaultyDisk(1)
	f, err := small(disk, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r, _, err := f.Newest(); r != nil || err != nil {
		t.Fatal("a new folder:", r, err)
	}
	for id := int64(1); len(f.shared) == 0; id++ {
		if id > 100 {
			t.Fatal("nothing is shared")
		}
		w.change()
		if err := w.write(f, id); err != nil {
			t.Fatal(err)
		}
	}
	look := func(want bool) {
		t.Helper()
		if l, err := Look(disk); err != nil || l.Orphaned() != want {
			t.Errorf("orphaned: %v, %v", l.Orphaned(), err)
		}
	}
	look(false)
	for _, id := range f.ids {
		delete(disk.files, name(id))
	}
	look(true)
	if f, err = small(disk, 1); err != nil {
		t.Fatal(err)
	}
	r, _, err := f.Newest()
	want := fmt.Sprintf("no checkpoint can be used: the files of all are missing, and one that they referred to is there (%s); to begin anew, and write everything again, remove it too", name(f.shared[len(f.shared)-1])+shared)
	if r != nil || fault.Of(err) != fault.Resource || err.Error() != want {
		t.Errorf("got  %v, %v\nwant %s", r, err, want)
	}
}
