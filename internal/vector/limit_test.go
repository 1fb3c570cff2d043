package vector

import (
	"bytes"
	"testing"
)

// A batch has one limit for all its columns, whether their bytes come from the arena or not; state has none, and a reused arena begins anew.
func TestBatchesAreBounded(t *testing.T) {
	large := make([]byte, MaxValue)
	pool := &Pool{}
	a := pool.Get()
	fill := func() {
		for range MaxBatch / MaxValue / 2 {
			NewBuilder(a, Bytes, 1).AppendBytes(large)
			a.Charge(MaxValue)
		}
	}
	if !a.Within(MaxBatch, fill) {
		t.Fatal("a full batch is refused")
	}
	if a.Within(MaxBatch, func() { a.Bytes(1) }) {
		t.Error("a batch takes more than MaxBatch")
	}
	a.Release()
	if a = pool.Get(); a.Charged() != 0 {
		t.Errorf("%d bytes of the batch before are charged", a.Charged())
	}
	a.ForState()
	a.Charge(2 * MaxBatch)
	a.Release()
	if a = pool.Get(); a.Within(100, func() { a.Bytes(101) }) || !a.Within(1000, func() { a.Bytes(101) }) {
		t.Error("Within counts wrong")
	}
	defer func() {
		if e, ok := recover().(*TooLarge); !ok || e.Row != NoRow || !bytes.Contains([]byte(e.Error()), []byte("64 MB")) {
			t.Errorf("a value of more than MaxValue: %v", e)
		}
	}()
	NewBuilder(a, Bytes, 1).AppendBytes(append(large, 0))
}

// What state took is no measure for the batches that get its arena.
func TestStateLeavesNoLargeArena(t *testing.T) {
	pool := &Pool{}
	a := pool.Get()
	a.ForState()
	a.Ints(1 << 20)
	a.Release()
	if b := pool.Get(); b != a || len(b.ints.buf) > 0 || b.limit != MaxBatch {
		t.Errorf("%d numbers are kept, and the limit is %d", len(b.ints.buf), b.limit)
	}
}
