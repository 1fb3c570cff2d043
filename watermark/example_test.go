package watermark_test

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/watermark"
)

const second int64 = 1_000_000

// Two splits are fed by hand. The frontier is the least of them, so it moves when the second one speaks.
func Example() {
	core, err := watermark.New(watermark.BoundedOutOfOrderness(5*time.Second), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := core.AddSplit(0), core.AddSplit(0)
	core.SealSplits()
	var found watermark.Observed
	show := func(split int, seconds ...int64) {
		times := make([]int64, len(seconds))
		for i, s := range seconds {
			times[i] = s * second
		}
		found.Reset()
		core.Observe(split, times, times, 0, &found)
		for _, m := range found.Marks {
			fmt.Printf("split %d, before row %d: every later row is of second %d or later\n", split, m.Row, int64(m.F)/second)
		}
		for _, row := range found.Late {
			fmt.Printf("split %d, row %d is late\n", split, row)
		}
	}
	show(a, 10, 12, 20)
	show(b, 14, 11, 40)
	show(b, 9)
	core.FinishSplit(a, 0)
	core.FinishSplit(b, 0)
	fmt.Println("at the end:", core.Frontier() == watermark.Final)
	// Output:
	// split 1, before row 1: every later row is of second 9 or later
	// split 1, before row 3: every later row is of second 15 or later
	// split 1, row 0 is late
	// at the end: true
}

// Rows of the same time are on time, the first one that falls is late.
func ExampleMonotonous() {
	core, _ := watermark.New(watermark.Monotonous(), 0)
	split := core.AddSplit(0)
	times := []int64{3 * second, 3 * second, 2 * second}
	var found watermark.Observed
	core.Observe(split, times, times, 0, &found)
	fmt.Println("late:", found.Late)
	// Output:
	// late: [2]
}

// The second split says nothing. After a minute the first one goes on without it.
func ExampleStrategy_WithIdleness() {
	core, _ := watermark.New(watermark.Monotonous().WithIdleness(time.Minute), 0)
	split := core.AddSplit(0)
	core.AddSplit(0)
	var found watermark.Observed
	row := []int64{10 * second}
	core.Observe(split, row, row, 50*second, &found)
	fmt.Println(core.Frontier() == watermark.Unset)
	core.Tick(60*second, &found)
	fmt.Println(int64(core.Frontier()) / second)
	// Output:
	// true
	// 10
}

// Whoever reads the splits asks where they stand, and does not read those that are more than the drift ahead of the least.
func ExampleStrategy_WithAlignment() {
	s := watermark.Monotonous().WithAlignment("shows and clicks", 20*time.Second, time.Second)
	core, _ := watermark.New(s, 0)
	var found watermark.Observed
	for _, at := range []int64{100 * second, 130 * second} {
		core.Observe(core.AddSplit(0), []int64{at}, []int64{at}, 0, &found)
	}
	least, _ := core.Stands(0)
	for split := range core.Splits() {
		f, counts := core.Stands(split)
		fmt.Println(split, "waits:", counts && f > least.Add(s.Alignment.Drift))
	}
	// Output:
	// 0 waits: false
	// 1 waits: true
}

// punctuated promises what marked rows say: those of which the watermark expression is not NULL.
type punctuated struct{}

func (punctuated) OnEvent(e watermark.Event, out watermark.Output) {
	if e.Candidate != watermark.NoTime {
		out.Emit(watermark.Frontier(e.Candidate))
	}
}

func (punctuated) OnPeriodic(watermark.Output) {}

func ExampleFromGenerator() {
	core, _ := watermark.New(watermark.FromGenerator("punctuated", func() watermark.Generator { return punctuated{} }), 0)
	split := core.AddSplit(0)
	times := []int64{1 * second, 9 * second, 5 * second}
	marks := []int64{watermark.NoTime, watermark.NoTime, 4 * second}
	var found watermark.Observed
	core.Observe(split, times, marks, 0, &found)
	fmt.Println(found.Marks)
	// Output:
	// [{3 4000000}]
}

// Two inputs of a join: the watermark behind it is the lesser, and an idle input is left out.
func ExampleMerge() {
	m := watermark.NewMerge(2)
	m.Update(0, watermark.Frontier(10*second), true)
	f, _, _ := m.Update(1, watermark.Frontier(4*second), true)
	fmt.Println(int64(f) / second)
	f, _, _ = m.Update(1, watermark.Frontier(4*second), false)
	fmt.Println(int64(f) / second)
	// Output:
	// 4
	// 10
}
