package plan

import (
	"slices"
	"testing"
)

// TestSharedInTurn: relations that each read the one before twice are listed once each, those that are read in front, and what they come to is known without a walk along every path.
func TestSharedInTurn(t *testing.T) {
	n := Node(&Values{})
	var all []*Shared
	for range 60 {
		s := &Shared{Name: "x", Input: &Union{Inputs: []Node{n, n}}}
		n, all = s, append(all, s)
	}
	if got := make(Paths).Of(n); got != MaxPaths+1 {
		t.Errorf("%d paths, want more than %d", got, MaxPaths)
	}
	if got := Shareds(n, n); !slices.Equal(got, all) {
		t.Errorf("%d relations, want %d, the first ones in front", len(got), len(all))
	}
	if u, _ := Unadjusted(n); u != nil {
		t.Errorf("%v does not adjust", u)
	}
	readers := Readers(n, n)
	for i, s := range all {
		if readers[s] != 2 {
			t.Errorf("relation %d has %d readers", i, readers[s])
		}
	}
	if got := make(Paths).Of(all[2]); got != 22 {
		t.Errorf("%d paths to three that read twice, want 22", got)
	}
	if got := Scans(n); got != nil {
		t.Errorf("%d scans of none", len(got))
	}
}
