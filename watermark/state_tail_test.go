package watermark

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestRestoreRefusesTails is TestRestoreRefuses for what version 3 has behind the splits.
func TestRestoreRefusesTails(t *testing.T) {
	s := Replay(1000)
	s.Dimension, s.LastRows = &Dimension{}, 5
	c := newCore(s, 0)
	c.AddSplit(0)
	a, _ := c.Value("a")
	b, _ := c.Value("b")
	var out Observed
	c.ObserveValues(0, []int64{5000, 7000}, []int64{5000, 6000}, []int32{a, b}, 0, &out)
	good := c.AppendState(nil)
	const tail = stateHeader + stateSplit // 2 values, 1 and its name, 1 and its name, then the split
	const split = tail + 4 + 5 + 5
	for _, bad := range []struct {
		at   int
		to   byte
		want string
	}{
		{tail, 200, "another length"},
		{tail + 4, 200, "another length"},
		{tail + 13, 'a', "value 'a' is there twice"},
		{split, 1, "not that of its members"},
		{split + 8, 200, "another length"},
		{split + 12, 7, "one has none"},
		{split + 24, 0, "two members have one value"},
		{split + 16, 1, "of a member is not on the tick"},
		{split + 36, 1, "are not in order"},
		{split + 36, 3, "not the last"},
		{split + 44, 200, "another length"},
		{split + 48, 1, "are not in order"},
		{stateHeader, 1, "it is finished and has members"},
	} {
		state := slices.Clone(good)
		state[bad.at] = bad.to
		if err := newCore(s, 0).Restore(state); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("byte %d to %d: got %v, want %q", bad.at-split, bad.to, err, bad.want)
		}
	}
	for n := stateHeader + stateSplit; n < len(good); n++ {
		if err := newCore(s, 0).Restore(good[:n]); err == nil {
			t.Errorf("%d bytes of %d are enough", n, len(good))
		}
	}
	if err := newCore(s, 0).Restore(append(slices.Clone(good), 0)); err == nil {
		t.Error("a byte too much is none too much")
	}
}

// A state goes over to a strategy with another dimension, more or fewer last rows, or none of them.
func TestRestoreUnderAnotherStrategy(t *testing.T) {
	plain := Replay(1000)
	with := plain
	with.Dimension, with.LastRows = &Dimension{Expected: []string{"b"}}, 3
	wide := with
	wide.Dimension, wide.LastRows = &Dimension{Expected: []string{"c"}}, 4
	observe := func(c *Core, ms int64, value string) {
		times, values := []int64{ms * 1000}, []int32{0}
		if c.values == nil {
			c.Observe(0, times, times, 0, new(Observed))
			return
		}
		values[0], _ = c.Value(value)
		c.ObserveValues(0, times, times, values, 0, new(Observed))
	}
	restored := func(c *Core, s Strategy) *Core {
		n := newCore(s, 0)
		if err := n.Restore(c.AppendState(nil)); err != nil {
			t.Fatal(err)
		}
		return n
	}
	want := func(c *Core, split, source Frontier, awaited ...string) {
		t.Helper()
		c.Publish(0)
		if got := c.Load(); got.Splits[0].Frontier != split*1000 || got.Frontier != source*1000 || !slices.Equal(got.Awaited, awaited) {
			t.Errorf("split at %d, source at %d, waits for %v; want %d, %d, %v", got.Splits[0].Frontier, got.Frontier, got.Awaited, split*1000, source*1000, awaited)
		}
	}

	c := newCore(plain, 0)
	c.AddSplit(0)
	observe(c, 9, "")
	want(c, 10, 10)
	c = restored(c, with) // without a tail
	want(c, 10, 10, "b")
	observe(c, 20, "a")
	want(c, 21, 10, "b")
	observe(c, 14, "b")
	want(c, 15, 15)

	widened := restored(c, wide)
	want(widened, 15, 15, "c")
	observe(widened, 30, "c") // its last rows are 20, 14, 30
	want(widened, 15, 15)
	observe(widened, 31, "b")
	observe(widened, 32, "a") // 20 has left
	want(widened, 15, 15)
	observe(widened, 33, "a")
	observe(widened, 33, "b")
	observe(widened, 33, "c")
	want(widened, 31, 31)

	c = restored(c, plain)
	want(c, 21, 15)
	observe(c, 22, "")
	want(c, 23, 23)
}

// There may be MaxValues values and no more; those that are known stay known.
func TestTooManyValues(t *testing.T) {
	s := Replay(1000)
	s.Dimension = &Dimension{Expected: []string{"first"}}
	c := newCore(s, 0)
	for n := range MaxValues - 1 {
		if got, ok := c.Value(fmt.Sprint(n)); !ok || got != int32(n+1) {
			t.Fatalf("value %d has number %d, %t", n, got, ok)
		}
	}
	if _, ok := c.Value("one more"); ok {
		t.Error("a value too many has a number")
	}
	if n, ok := c.Value("first"); n != 0 || !ok {
		t.Error("a value that was known is not")
	}
}
