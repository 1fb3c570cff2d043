package dataflow

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Grain says which frontiers matter to those who get a stream, near or far: the ones that cross a line of one of its grids. Others may
// be left out, which nobody can tell. The zero Grain says that none matters.
type Grain struct {
	// Every says that all of them do.
	Every bool
	Grids []Grid
}

// Grid is lines at Offset and every Width from there on, in microseconds; Width is positive.
type Grid struct{ Width, Offset int64 }

// Matters reports whether any frontier does.
func (g Grain) Matters() bool { return g.Every || len(g.Grids) > 0 }

// And is the grain of those who need g and of those who need h.
func (g Grain) And(h Grain) Grain {
	if g.Every || h.Every {
		return Grain{Every: true}
	}
	return Grain{Grids: append(append([]Grid(nil), g.Grids...), h.Grids...)}
}

// Crosses reports whether somebody needs to be told of to, having been told of from.
func (g Grain) Crosses(from, to watermark.Frontier) bool {
	if to == from {
		return false
	}
	if g.Every || g.Matters() && (from == watermark.Unset || to == watermark.Final) {
		return true
	}
	for _, x := range g.Grids {
		if timefmt.FloorDiv(int64(from)-x.Offset, x.Width) != timefmt.FloorDiv(int64(to)-x.Offset, x.Width) {
			return true
		}
	}
	return false
}

// Keep copies the marks that matter, where the frontier before them was since.
func (g Grain) Keep(marks []watermark.Mark, since watermark.Frontier) []watermark.Mark {
	if g.Every {
		return slices.Clone(marks)
	}
	var kept []watermark.Mark
	for _, m := range marks {
		if g.Crosses(since, m.F) {
			kept = append(kept, m)
			since = m.F
		}
	}
	return kept
}
