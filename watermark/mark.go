package watermark

// Mark says that from row Row of a batch on the frontier is F. Row may equal the row count: the frontier rises after the last
// row. Rows leave before a watermark derived from them, so a row k that raises the frontier gives Mark{k + 1, F}.
type Mark struct {
	Row int32
	F   Frontier
}

// Observed collects what the core found while it read a batch. The caller owns it and reuses it with Reset; the core only
// appends. Rows are ascending within each list, and the frontiers of Marks rise strictly.
type Observed struct {
	// Base is added to every row position, so that several runs of one batch can share an Observed.
	Base int32
	// Marks are the emissions.
	Marks []Mark
	// Late are the rows with a time before the frontier that had been emitted when they were read.
	Late []int32
	// Behind has for each of Late the frontier that the row was judged by: the one emitted last, under Lookahead that of its split if it is further.
	Behind []Frontier
	// Null are the rows without an event time. They are never late and never move the frontier.
	Null []int32
}

// Reset empties o and keeps its memory.
func (o *Observed) Reset() {
	o.Base = 0
	o.Marks = o.Marks[:0]
	o.Late = o.Late[:0]
	o.Behind = o.Behind[:0]
	o.Null = o.Null[:0]
}
