package runtime

import (
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

func TestSince(t *testing.T) {
	task := func(id string, all ...Spent) *TaskStats {
		x := &TaskStats{ID: id}
		for _, s := range all {
			x.Instances = append(x.Instances, TaskInstance{Spent: s})
		}
		return x
	}
	then := task("t", Spent{100, 100, 100}, Spent{0, 0, 300})
	now := task("t", Spent{150, 125, 125}, Spent{0, 10, 390})
	for _, x := range []struct {
		name   string
		before *TaskStats
		want   Shares
		ok     bool
	}{
		{"the worst instance of each", then, Shares{0.5, 0.25, 0.9}, true},
		{"since the job began", nil, Shares{0.375, 0.3125, 0.975}, true},
		{"no time", now, Shares{}, false},
		{"a part that was longer before", task("t", Spent{160, 100, 100}, Spent{0, 10, 390}), Shares{0, 0.625, 0.625}, true},
	} {
		if got, ok := now.Since(x.before); got != x.want || ok != x.ok {
			t.Errorf("%s: %v, %t, want %v", x.name, got, ok, x.want)
		}
	}
	before := Stats{Tasks: []TaskStats{*task("s", Spent{}), *then}}
	if got := before.Task(now); got != &before.Tasks[1] {
		t.Errorf("the task before is %v", got)
	}
	if got := before.Task(task("t", Spent{})); got != nil {
		t.Errorf("one with other instances is %v", got)
	}
}

// TestInput: what a statement waits for, over its sources.
func TestInput(t *testing.T) {
	source := func(f watermark.Frontier, active bool) SourceStats {
		return SourceStats{Watermarked: true, Watermark: &watermark.Snapshot{Frontier: f, Active: active}}
	}
	atEnd := source(3, true)
	atEnd.Strategy.Emission = watermark.AtEnd{}
	for _, x := range []struct {
		name string
		all  []SourceStats
		want watermark.Frontier
	}{
		{"none", nil, watermark.Final},
		{"the least", []SourceStats{source(20, true), source(10, true)}, 10},
		{"idle ones do not count", []SourceStats{source(20, true), source(10, false)}, 20},
		{"unless all are", []SourceStats{source(20, false), source(10, false)}, 10},
		{"one that has ended does not count", []SourceStats{source(watermark.Final, true), source(10, false)}, 10},
		{"all have ended", []SourceStats{source(watermark.Final, true)}, watermark.Final},
		{"none has come yet", []SourceStats{source(watermark.Unset, true), source(10, true)}, watermark.Unset},
		{"without a watermark, or with one at the end", []SourceStats{{}, atEnd, source(30, true)}, 30},
	} {
		if got := (&Stats{Sources: x.all}).Input(); got != x.want {
			t.Errorf("%s: %d, want %d", x.name, got, x.want)
		}
	}
}
