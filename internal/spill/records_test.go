package spill

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"
	"testing/iotest"
)

// run is a run as its bytes and the bits of what lives.
func runOf(records []Record, dead ...int) (data, alive []byte) {
	var m bitmap
	for _, r := range records {
		m = m.with(len(data) / unit)
		data = r.appendTo(data)
	}
	at := 0
	for i, r := range records {
		for _, d := range dead {
			if d == i {
				m.clear(at / unit)
			}
		}
		at += int(r.length())
	}
	return data, (&FrozenRun{alive: m}).Alive()
}

var few = []Record{
	{Hash: 1, Due: math.MinInt64, Key: []byte("a"), Value: []byte("one")},
	{Hash: 2, Due: 0, Key: []byte{}, Value: []byte{}},
	{Hash: 1 << 60, Due: 7, Key: bytes.Repeat([]byte("key"), 100), Value: bytes.Repeat([]byte("value"), 200_000)},
	{Hash: math.MaxUint64, Due: Never, Key: []byte("b"), Value: []byte("eight by")},
}

// TestRecords reads runs in pieces of any size, and those that are cut off or say nonsense fail.
func TestRecords(t *testing.T) {
	data, alive := runOf(few, 1)
	for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
		var got []Record
		if err := Records(in, alive, func(r Record) error {
			got = append(got, clone(r))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(got) != 3 || !same(got[0], few[0]) || !same(got[1], few[2]) || !same(got[2], few[3]) {
			t.Errorf("%d records are read", len(got))
		}
	}
	ignore := func(Record) error { return nil }
	fails := func(what string, in io.Reader, alive []byte) {
		t.Helper()
		if err := Records(in, alive, ignore); err == nil {
			t.Errorf("%s is read", what)
		}
	}
	for _, n := range []int{0, 5, 30, 100, 500_000, len(data) - unit, len(data) - 1} {
		fails("a run that is cut off", bytes.NewReader(data[:n]), alive)
	}
	fails("a bitmap that is cut off", bytes.NewReader(data), alive[:len(alive)-1])
	wrong := bytes.Clone(data)
	binary.LittleEndian.PutUint32(wrong[20:], math.MaxUint32)
	fails("a record that leads into the next", bytes.NewReader(wrong), alive)
	wrong = bytes.Clone(data)
	binary.LittleEndian.PutUint32(wrong[len(wrong)-12:], math.MaxUint32)
	broken := errors.New("broken")
	if err := Records(iotest.ErrReader(broken), alive, ignore); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	if err := Records(bytes.NewReader(data), alive, func(Record) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	turned, _ := runOf([]Record{few[3], few[0]})
	_, both := runOf([]Record{few[3], few[0]})
	if err := On(&memory{}).Table().Restore(bytes.NewReader(turned), both, func(uint64) bool { return true }); err == nil {
		t.Error("records are restored out of their order")
	}
}

// FuzzRecords: whatever a run is, it is read or refused; what is read can be written and read again.
func FuzzRecords(f *testing.F) {
	data, alive := runOf(few[:2])
	f.Add(data, alive)
	f.Add(data[:40], []byte{1, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, data, alive []byte) {
		var got []Record
		if err := Records(bytes.NewReader(data), alive, func(r Record) error {
			got = append(got, clone(r))
			return nil
		}); err != nil {
			return
		}
		again, living := runOf(got)
		i := 0
		if err := Records(bytes.NewReader(again), living, func(r Record) error {
			if !same(r, got[i]) {
				t.Errorf("record %d is another one when it is written and read again", i)
			}
			i++
			return nil
		}); err != nil || i != len(got) {
			t.Errorf("%d of %d records can be read again: %v", i, len(got), err)
		}
		space := On(&memory{})
		table := space.Table()
		if table.Restore(bytes.NewReader(data), alive, func(uint64) bool { return true }) == nil && table.Len() != len(got) {
			t.Errorf("%d records are restored, want %d", table.Len(), len(got))
		}
		table.Close()
	})
}
