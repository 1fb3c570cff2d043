package compile

import (
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The source of left rows stands behind that of the table, unless the table could wait for it in any way: then both would stand still for good.
func TestReadFirst(t *testing.T) {
	delayed := func(by string) runtime.Source {
		return runtime.Source{Delays: []watermark.ReadDelay{{Table: by}}}
	}
	grouped := runtime.Source{Watermarked: true, Strategy: watermark.Strategy{Alignment: watermark.Alignment{Group: "g", Drift: 1}}}
	plain := runtime.Source{}
	for _, x := range []struct {
		name    string
		sources []runtime.Source
		joins   []joined
		want    string
	}{
		{"a table", []runtime.Source{plain, plain}, []joined{{{0}, {1}}}, "[[1] []]"},
		{"several of both", []runtime.Source{plain, plain, plain, plain}, []joined{{{0, 1}, {2, 3}}}, "[[2 3] [2 3] [] []]"},
		{"one behind the other", []runtime.Source{plain, plain, plain}, []joined{{{0}, {1}}, {{0, 1}, {2}}}, "[[1 2] [2] []]"},
		{"twice the same", []runtime.Source{plain, plain}, []joined{{{0}, {1}}, {{0}, {1}}}, "[[1] []]"},
		{"itself", []runtime.Source{plain}, []joined{{{0}, {0}}}, "[[]]"},
		{"in turn", []runtime.Source{plain, plain}, []joined{{{0}, {1}}, {{1}, {0}}}, "[[1] []]"},
		{"in a circle of three", []runtime.Source{plain, plain, plain}, []joined{{{0}, {1}}, {{1}, {2}}, {{2}, {0}}}, "[[1] [2] []]"},
		{"a table that waits for the rows", []runtime.Source{plain, delayed("s0")}, []joined{{{0}, {1}}}, "[[] []]"},
		{"a table that waits for somebody else", []runtime.Source{plain, delayed("s2"), plain}, []joined{{{0}, {1}}}, "[[1] [] []]"},
		{"aligned", []runtime.Source{grouped, grouped}, []joined{{{0}, {1}}}, "[[] []]"},
		{"aligned with one that waits", []runtime.Source{plain, grouped, {Watermarked: true, Strategy: grouped.Strategy, Delays: delayed("s0").Delays}}, []joined{{{0}, {1}}}, "[[] [] []]"},
	} {
		c := newCompiler(Options{}, nil)
		for i, s := range x.sources {
			s.Name = fmt.Sprintf("s%d", i)
			c.graph.Sources = append(c.graph.Sources, s)
		}
		c.joined = x.joins
		c.readFirst()
		var got [][]int
		for _, s := range c.graph.Sources {
			got = append(got, s.After)
		}
		if fmt.Sprint(got) != x.want {
			t.Errorf("%s: %v, want %s", x.name, got, x.want)
		}
	}
}
