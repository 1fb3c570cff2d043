package handover

import "github.com/tidemark-sql/tidemark/watermark"

// Gone is a writer whose record may be taken out of the side topic by another that covers its rows: see Ledger.Cover.
type Gone struct {
	Writer Writer
	// Ended says that it came to the end of its input. Then it takes a promise of another that has Ended too, at Frontier or beyond, to replace it.
	Ended    bool
	Frontier watermark.Frontier
	// Silent says that nothing was heard of it for as long as it takes to lapse.
	Silent bool
}

// Gone lists writers that will not write any more, as far as one can know: those that have Stopped or Ended, and those that have lapsed. Whoever was taken out is left out.
//
// Take A, which is gone, and B, which is there, has asked where the partitions end after A had gone, and promises nothing that is not behind those ends from then on. A reader that has
// not read all rows of A knows of B that it has promised nothing, and waits as it would for A. One that has read them all would ask A for the frontier only if it
// waits for nobody. If A has Stopped, or lapsed, whoever was heard of later is asked instead, which is B. If A has Ended, the greatest frontier of those who have counts.
func (u *Upstream) Gone() (gone []Gone) {
	for _, w := range u.writers {
		last := &w.promises[len(w.promises)-1]
		silent := u.clock-w.heard >= u.timeout
		if !w.retired && (last.State >= Stopped || silent) {
			gone = append(gone, Gone{w.name, last.State == Ended, last.Frontier, silent})
		}
	}
	return gone
}

// ReplacedBy reports whether p, the promise of one who covers the rows of g, makes the record of g needless.
func (g *Gone) ReplacedBy(p *Promise) bool {
	return !g.Ended || p.State == Ended && p.Frontier >= g.Frontier
}
