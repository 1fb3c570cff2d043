package spill

import (
	"math/rand/v2"
	"testing"
)

// Who holds less than others goes on when memory is short, and somebody always gives way.
func TestWhoHoldsMuchGivesWay(t *testing.T) {
	b := NewBudget(200)
	small, large := b.Share(), b.Share()
	if large.Hold(90, 0) || small.Hold(10, 0) {
		t.Error("somebody gives way though twice as much as all of it fits")
	}
	if small.Hold(20, 0) {
		t.Error("the smaller one gives way")
	}
	if !large.Hold(90, 0) {
		t.Error("the larger one does not give way")
	}
	if large.Hold(0, 0) || small.Hold(100, 0) {
		t.Error("what was given up is not there for others")
	}
	if !small.Hold(101, 0) {
		t.Error("one that holds all of it does not give way")
	}
	r := rand.New(rand.NewPCG(1, 1))
	shares := []*Share{small, large}
	held := []int64{101, 0}
	for range 1000 {
		i := r.IntN(2)
		held[i] = r.Int64N(100)
		must := held[0]+held[1] > 100
		if gives := shares[i].Hold(held[i], 0); gives && !must || !gives && must && held[i] >= held[1-i] && held[i] > 0 {
			t.Fatalf("with %v held, %d gives way: %v", held, i, gives)
		}
	}
}

// Indexes take room from tables, but never all of it.
func TestIndexesComeFirst(t *testing.T) {
	b := NewBudget(200)
	one, other := b.Share(), b.Share()
	if one.Hold(60, 80) {
		t.Error("gives way though there is room for it twice")
	}
	if other.Hold(0, 10); !one.Hold(60, 80) {
		t.Error("does not give way though the index of another has taken the room")
	}
	if other.Hold(0, 1000); one.Hold(24, 80) {
		t.Error("an eighth of the limit is not there for tables")
	}
	if other.Hold(0, 0); one.Hold(60, 80) {
		t.Error("room that an index has given back is not there")
	}
	if NewBudget(1).Share().Hold(0, 0) {
		t.Error("who holds nothing gives way")
	}
	if !NewBudget(1).Share().Hold(1, 0) {
		t.Error("with a limit of a byte something may be held")
	}
}
