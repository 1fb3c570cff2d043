package spill

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/state"
)

// model is a table in the simplest way.
type model map[string]Record

func (m model) sorted() []Record {
	return slices.SortedFunc(maps.Values(m), func(a, b Record) int { return compare(&a, &b) })
}

// hash is that of package state, or one of few, so that keys share fingerprints.
func hash(key string, few bool) uint64 {
	h := state.HashBytes([]byte(key))
	if few {
		h &= 0xF00_0003_0000_0001
	}
	return h
}

func clone(r Record) Record {
	r.Key, r.Value = bytes.Clone(r.Key), bytes.Clone(r.Value)
	return r
}

func same(a, b Record) bool {
	return a.Hash == b.Hash && a.Due == b.Due && bytes.Equal(a.Key, b.Key) && bytes.Equal(a.Value, b.Value)
}

// simulation works on a table and its model in the same way.
type simulation struct {
	t     *testing.T
	r     *rand.Rand
	table *Table
	model model
	keys  int
	few   bool
	large bool
	now   int64
}

func (s *simulation) write(n int) error {
	var records []Record
	for range n {
		key := fmt.Sprint(s.r.IntN(s.keys))
		if _, ok := s.model[key]; ok {
			continue
		}
		rec := Record{Hash: hash(key, s.few), Due: s.now + s.r.Int64N(1000), Key: []byte(key), Value: s.value()}
		switch s.r.IntN(20) {
		case 0:
			rec.Due = Never
		case 1:
			rec.Due = s.now - 500
		}
		s.model[key] = rec
		records = append(records, rec)
	}
	slices.SortFunc(records, func(a, b Record) int { return compare(&a, &b) })
	return s.table.Write(len(records), func(i int) Record { return records[i] })
}

func (s *simulation) value() []byte {
	n := s.r.IntN(60)
	if s.large && s.r.IntN(50) == 0 {
		n = s.r.IntN(200_000)
	}
	v := make([]byte, n)
	for i := range v {
		v[i] = byte(s.r.Uint32())
	}
	return v
}

func (s *simulation) take(n int) error {
	var wanted []Key
	var found []bool
	for range n {
		key := fmt.Sprint(s.r.IntN(s.keys))
		wanted = append(wanted, Key{Hash: hash(key, s.few), Key: []byte(key)})
		found = append(found, false)
		if _, ok := s.model[key]; ok && !s.table.Maybe(wanted[len(wanted)-1].Hash) {
			s.t.Fatal("a key that is there cannot be there")
		}
	}
	err := s.table.Take(wanted, func(i int, value []byte) error {
		found[i] = true
		rec, ok := s.model[string(wanted[i].Key)]
		if !ok || !bytes.Equal(rec.Value, value) {
			s.t.Fatalf("key %s has a value of %d bytes, want %d: %v", wanted[i].Key, len(value), len(rec.Value), ok)
		}
		delete(s.model, string(wanted[i].Key))
		return nil
	})
	if err != nil {
		return err
	}
	for i, k := range wanted {
		if _, ok := s.model[string(k.Key)]; ok {
			s.t.Fatalf("key %s is not found: %v", k.Key, found[i])
		}
	}
	return nil
}

func (s *simulation) due(until int64, most int) error {
	var got []Record
	err := s.table.TakeDue(until, func(r Record) error {
		got = append(got, clone(r))
		if len(got) == most {
			return ErrEnough
		}
		return nil
	})
	if err != nil {
		return err
	}
	want := s.model.sorted()
	n := 0
	for n < len(want) && n < most && want[n].Due <= until {
		delete(s.model, string(want[n].Key))
		n++
	}
	if !slices.EqualFunc(got, want[:n], same) {
		s.t.Fatalf("%d records are due, want %d", len(got), n)
	}
	return nil
}

func (s *simulation) check() error {
	if s.table.Len() != len(s.model) {
		s.t.Fatalf("%d records, want %d", s.table.Len(), len(s.model))
	}
	want := s.model.sorted()
	due, ok := s.table.Next()
	if ok != (len(want) > 0) || ok && due != want[0].Due {
		s.t.Fatalf("next is due at %d (%v)", due, ok)
	}
	from := s.now + s.r.Int64N(1000) - 500
	to := from + s.r.Int64N(500)
	var got []Record
	if err := s.table.Ascend(from, to, func(r Record) error {
		got = append(got, clone(r))
		return nil
	}); err != nil {
		return err
	}
	want = slices.DeleteFunc(want, func(r Record) bool { return r.Due < from || r.Due >= to })
	if !slices.EqualFunc(got, want, same) {
		s.t.Fatalf("%d records in a range, want %d", len(got), len(want))
	}
	return nil
}

// walk goes through two ranges at the same time, takes some of what it sees, and writes some of that back, to be due later.
func (s *simulation) walk() error {
	w := s.table.Writer()
	var walks []*Scan
	var want [][]Record
	from := s.now + s.r.Int64N(1000) - 500
	for range 2 {
		to := from + s.r.Int64N(300)
		scan, err := s.table.Scan(from, to)
		if err != nil {
			return err
		}
		walks = append(walks, scan)
		want = append(want, slices.DeleteFunc(s.model.sorted(), func(r Record) bool { return r.Due < from || r.Due >= to }))
		from = to
	}
	var last *Record
	for i, scan := range walks {
		for _, expected := range want[i] {
			if !scan.Ok() {
				s.t.Fatal("a walk ends early")
			}
			if got := scan.Record(); !same(got, expected) {
				s.t.Fatalf("a walk comes by %v, want %v", got, expected)
			}
			if s.r.IntN(3) > 0 {
				if err := scan.Take(); err != nil {
					return err
				}
				delete(s.model, string(expected.Key))
				again := clone(expected)
				if again.Due = s.now + 2000; s.r.IntN(2) == 0 && (last == nil || compare(last, &again) < 0) {
					if err := w.Add(again); err != nil {
						return err
					}
					s.model[string(again.Key)], last = again, &again
				}
			}
			if err := scan.Next(); err != nil {
				return err
			}
		}
		if scan.Ok() {
			s.t.Fatal("a walk goes on behind its end")
		}
	}
	for _, scan := range walks {
		if err := scan.Close(); err != nil {
			return err
		}
	}
	return w.Close()
}

// round does something at random, and looks whether table and model agree.
func (s *simulation) round() error {
	var err error
	switch s.r.IntN(9) {
	case 0, 1, 2:
		err = s.write(s.r.IntN(s.keys / 4))
	case 3, 4, 5:
		err = s.take(s.r.IntN(s.keys / 6))
	case 6:
		err = s.due(s.now, 1+s.r.IntN(s.keys))
	case 7:
		s.now += s.r.Int64N(300)
		err = s.due(s.now-s.r.Int64N(50), s.keys)
	case 8:
		err = s.walk()
	}
	if err != nil {
		return err
	}
	return s.check()
}

// frozen is what was in the table at some time.
type frozen struct {
	*Frozen
	want []Record
}

func (s *simulation) freeze() (frozen, error) {
	f, err := s.table.Freeze()
	return frozen{f, s.model.sorted()}, err
}

// read is all records of f in their order.
func (f *frozen) read() ([]Record, error) {
	var got []Record
	for i := range f.Runs {
		r := &f.Runs[i]
		err := Records(r.Open(), r.Alive(), func(r Record) error {
			got = append(got, clone(r))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(got, func(a, b Record) int { return compare(&a, &b) })
	return got, nil
}

// small makes a table that merges early and often.
func small(s *Space) *Table {
	t := s.Table()
	t.least, t.most = 1000, 5
	return t
}

// TestAgainstModel works on tables at random, through many merges, and on what is frozen of them from time to time.
func TestAgainstModel(t *testing.T) {
	for seed := range uint64(9) {
		disk := &memory{}
		space := On(disk)
		r := rand.New(rand.NewPCG(seed, 1))
		s := &simulation{t: t, r: r, table: small(space), model: model{}, keys: 100 << (seed % 6), few: seed%4 == 3, large: seed%3 == 2}
		merges := 0
		var kept []frozen
		for range 250 {
			merging := s.table.merge
			if err := s.round(); err != nil {
				t.Fatal(err)
			}
			if s.table.merge != merging {
				merges++
			}
			if s.r.IntN(40) == 0 {
				f, err := s.freeze()
				if err != nil {
					t.Fatal(err)
				}
				kept = append(kept, f)
			}
		}
		if merges < 5 {
			t.Errorf("seed %d: only %d merges", seed, merges)
		}
		for i, f := range kept {
			got, err := f.read()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, f.want, same) {
				t.Errorf("seed %d: what was frozen has %d records, want %d", seed, len(got), len(f.want))
			}
			if i == len(kept)/2 { // some are read behind the end of the table
				if err := s.table.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Release(); err != nil {
				t.Fatal(err)
			}
		}
		disk.done(t)
	}
}

// TestRestore brings what is frozen into tables that each own some of the keys.
func TestRestore(t *testing.T) {
	disk := &memory{}
	space := On(disk)
	s := &simulation{t: t, r: rand.New(rand.NewPCG(3, 1)), table: small(space), model: model{}, keys: 3000, large: true}
	for range 200 {
		if err := s.round(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := s.freeze()
	if err != nil {
		t.Fatal(err)
	}
	var got []Record
	for task := range 3 {
		restored := small(space)
		for i := range f.Runs {
			r := &f.Runs[i]
			owns := func(hash uint64) bool { return state.Owner(hash, 3) == task }
			if err := restored.Restore(r.Open(), r.Alive(), owns); err != nil {
				t.Fatal(err)
			}
		}
		before := len(got)
		if err := restored.TakeDue(Never, func(r Record) error {
			got = append(got, clone(r))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(got) == before || restored.Len() != 0 {
			t.Errorf("task %d has %d records, and %d left", task, len(got)-before, restored.Len())
		}
		if err := restored.Close(); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(got, func(a, b Record) int { return compare(&a, &b) })
	if !slices.EqualFunc(got, f.want, same) {
		t.Errorf("%d records are restored, want %d", len(got), len(f.want))
	}
	if err := errors.Join(f.Release(), s.table.Close()); err != nil {
		t.Fatal(err)
	}
	disk.done(t)
}

// TestFreezeWhileTheTableGoesOn reads what is frozen in other goroutines, as checkpoints do.
func TestFreezeWhileTheTableGoesOn(t *testing.T) {
	space := In(t.TempDir())
	s := &simulation{t: t, r: rand.New(rand.NewPCG(5, 1)), table: small(space), model: model{}, keys: 1000}
	var readers sync.WaitGroup
	for range 200 {
		if err := s.round(); err != nil {
			t.Fatal(err)
		}
		if s.r.IntN(10) > 0 {
			continue
		}
		f, err := s.freeze()
		if err != nil {
			t.Fatal(err)
		}
		readers.Go(func() {
			got, err := f.read()
			if err == nil && !slices.EqualFunc(got, f.want, same) {
				err = fmt.Errorf("%d records, want %d", len(got), len(f.want))
			}
			if err := errors.Join(err, f.Release()); err != nil {
				t.Error(err)
			}
		})
	}
	if err := s.table.Close(); err != nil {
		t.Fatal(err)
	}
	readers.Wait()
	if err := space.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestIdentity: a run that has not been written to has the identity that it had, and no other run ever has it.
func TestIdentity(t *testing.T) {
	space := On(&memory{})
	s := &simulation{t: t, r: rand.New(rand.NewPCG(9, 1)), table: small(space), model: model{}, keys: 2000}
	content := map[string][]byte{}
	again := 0
	for range 150 {
		if err := s.round(); err != nil {
			t.Fatal(err)
		}
		f, err := s.freeze()
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Runs {
			r := &f.Runs[i]
			b, err := io.ReadAll(r.Open())
			if err != nil || int64(len(b)) != r.Size {
				t.Fatalf("%d bytes, want %d: %v", len(b), r.Size, err)
			}
			name := fmt.Sprintf("%s of %d bytes", r.Identity, r.Size)
			if had, ok := content[name]; ok {
				again++
				if !bytes.Equal(had, b) {
					t.Fatalf("run %s is not what it was", name)
				}
			}
			content[name] = b
		}
		if err := f.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if again < 100 {
		t.Errorf("only %d runs are seen again", again)
	}
}

// TestFaultyDisk fails each call in turn and all that follow. Whoever uses the table is told by an error about the disk, which is of class Resource, and nothing stays open.
func TestFaultyDisk(t *testing.T) {
	work := func(failAt int, cause error) (calls int, err error) {
		disk := &memory{failAt: failAt, err: cause}
		space := On(disk)
		s := &simulation{t: t, r: rand.New(rand.NewPCG(11, 1)), table: small(space), model: model{}, keys: 400}
		var kept *frozen
		for range 30 {
			if err = s.round(); err != nil {
				break
			}
			if kept == nil && len(s.model) > 50 {
				var f frozen
				if f, err = s.freeze(); err != nil {
					break
				}
				kept = &f
			}
		}
		if kept != nil {
			if err == nil {
				_, err = kept.read()
			}
			err = errors.Join(err, kept.Release())
		}
		err = errors.Join(err, s.table.Close(), space.Close())
		disk.done(t)
		return disk.calls, err
	}
	calls, err := work(0, nil)
	if err != nil || calls < 100 {
		t.Fatalf("%d calls without a fault: %v", calls, err)
	}
	for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
		for at := 1; at <= calls; at++ {
			_, err := work(at, cause)
			if !errors.Is(err, cause) || fault.Of(firstOf(err)) != fault.Resource || !strings.Contains(err.Error(), "'memory'") {
				t.Fatalf("call %d fails, and the error is %v of class %v", at, err, fault.Of(err))
			}
		}
	}
}

// firstOf is the first of errors that were joined.
func firstOf(err error) error {
	for {
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok {
			return err
		}
		err = joined.Unwrap()[0]
	}
}

// TestDamagedFile reads runs whose bytes have changed: what comes is an error of the disk or other records, and no panic.
func TestDamagedFile(t *testing.T) {
	told := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		disk := &memory{}
		table := small(On(disk))
		var records []Record
		var wanted []Key
		for i := range 200 {
			key := binary.BigEndian.AppendUint64(nil, uint64(i))
			records = append(records, Record{Hash: state.HashBytes(key), Due: int64(i), Key: key, Value: []byte("value")})
			wanted = append(wanted, Key{state.HashBytes(key), key})
		}
		if err := table.Write(len(records), func(i int) Record { return records[i] }); err != nil {
			t.Fatal(err)
		}
		data := table.runs[0].file.File.(*memoryFile).data
		for range 1 + r.IntN(20) {
			at := r.IntN(len(data))
			if r.IntN(2) == 0 {
				at = at&^63 + r.IntN(headerBytes)
			}
			data[at] = byte(r.Uint32())
		}
		ignore := func(Record) error { return nil }
		err := errors.Join(
			table.Ascend(0, Never, ignore),
			table.Take(wanted[:50], func(int, []byte) error { return nil }),
			table.TakeDue(Never, ignore))
		if err != nil {
			told++
			if fault.Of(firstOf(err)) != fault.Resource {
				t.Errorf("the error is %v of class %v", err, fault.Of(err))
			}
		}
	}
	if told < 100 {
		t.Errorf("only %d of 300 are noticed", told)
	}
}
