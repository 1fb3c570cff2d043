package script

import (
	"fmt"
	"strings"
)

// Variation is a way of running a script. What a script prints does not depend on it.
//
// Restarts need a word: a snapshot holds what a statement knows of its rows, but ticks, idle clocks and the first 200 ms begin anew with a
// process. So a statement that has no ticks, such as every replay, is restarted behind every block; one that has ticks only if the script says that
// it does not mind (`sql restartable`), and none that crashes itself, since that goes back to a snapshot of its own.
type Variation struct {
	// BatchRows bounds a batch; 0 is the engine's choice.
	BatchRows int
	// Shapes are used in turn by the job and its successors after restarts.
	Shapes []Shape
	// SingleRows lets every row of a block arrive on its own, unless the statement reads the table more than once: what arrives together goes through one reading
	// and then through the next, so that how rows are brought together there has a say in the order of results, and in what is late.
	SingleRows bool
	// Memory is the limit of the memory for state, in bytes; 0 is none. With a byte all that can be spilled is spilled behind every batch.
	Memory int64
	// Restarts snapshots the job behind every block, stops it and goes on from the snapshot.
	Restarts bool
	// Crashes stops the job behind every row, as Restarts says which jobs may be, and goes on from the latest snapshot, so that rows are read and results come once more; those that
	// came since the snapshot are forgotten. A snapshot is taken in front of every block and behind every other row, and rows arrive as with SingleRows.
	Crashes bool
}

// Shape is how a job is spread out.
type Shape struct{ Workers, Parallelism int }

// Plain is the script as written.
var Plain = Variation{Shapes: []Shape{{1, 1}}}

// Variations are the others. They are few, because every script runs in all of them: each changes several things at once.
var Variations = []Variation{
	{Shapes: []Shape{{1, 1}}, BatchRows: 1},
	{Shapes: []Shape{{1, 2}}, BatchRows: 3},
	{Shapes: []Shape{{3, 4}}},
	{Shapes: []Shape{{3, 1}}, SingleRows: true},
	{Shapes: []Shape{{1, 1}, {3, 4}, {1, 2}}, Restarts: true},
	{Shapes: []Shape{{1, 2}}, BatchRows: 2, Memory: 1},
	{Shapes: []Shape{{3, 4}, {1, 1}, {1, 2}}, Memory: 1, Restarts: true},
	{Shapes: []Shape{{1, 1}, {2, 3}}, Crashes: true},
}

// shape is that of the n-th job.
func (v Variation) shape(n int) Shape { return v.Shapes[n%len(v.Shapes)] }

func (v Variation) String() string {
	var parts []string
	if v.BatchRows > 0 {
		parts = append(parts, fmt.Sprintf("batches of %d", v.BatchRows))
	}
	if v.SingleRows {
		parts = append(parts, "rows arrive one by one")
	}
	if v.Memory > 0 {
		parts = append(parts, "state on disk")
	}
	if v.Restarts {
		return strings.Join(append(parts, "restarted after every block"), ", ")
	}
	if v.Crashes {
		return strings.Join(append(parts, "killed after every row"), ", ")
	}
	if s := v.Shapes[0]; s != (Shape{1, 1}) {
		parts = append(parts, fmt.Sprintf("%d workers, parallelism %d", s.Workers, s.Parallelism))
	}
	if parts == nil {
		return "as written"
	}
	return strings.Join(parts, ", ")
}
