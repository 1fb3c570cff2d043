package dataflow

import (
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// TestWorstOfTasks divides dropped rows, some equally late, among tasks in every way: the latest of all is the same row.
func TestWorstOfTasks(t *testing.T) {
	rows := []Dropped{
		{Time: 8, Frontier: watermark.Frontier(10)}, {Time: 31, Frontier: watermark.Frontier(36)}, {Time: 24, Frontier: watermark.Frontier(29)}, {Time: 40, Frontier: watermark.Frontier(41)},
	}
	for ways := range 1 << len(rows) {
		var tasks [2]Counts
		for i, d := range rows {
			tasks[ways>>i&1].Drop(d)
		}
		for first := range tasks {
			total := tasks[first].Totals()
			total.Add(tasks[1-first].Totals())
			if total.Dropped != 4 || total.Worst.Time != 24 {
				t.Errorf("way %b from task %d: %d dropped, worst %v", ways, first, total.Dropped, *total.Worst)
			}
		}
	}
}
