package flowspec

import (
	"slices"
	"strings"
)

// Change is a member of the dynamic spec that is another than before.
type Change struct {
	// Path are the names that lead to it, with dots between them.
	Path string
	// Applies says that it changes what the pipeline does; sizes and rates that the engine finds by itself do not.
	Applies bool
}

// Changes are what after says otherwise than before in its dynamic spec. Flow: the static spec changes only while the pipeline is stopped, so the error, a *source.Error, names the first part of that
// which is another one.
func Changes(before, after *Pipeline) ([]Change, error) {
	if path, n := differs(before.spec, after.spec, nil); path != nil {
		r := &reader{text: after.Text}
		at := after.At
		if n != nil {
			at = n.Span
		}
		r.fail(codeSpec, at, "stop the pipeline first: target_state: stopped, or leave the static spec as it is", "'%s' is another than what runs, and the static spec changes only while the pipeline is stopped", strings.Join(path, "."))
		return nil, r.err
	}
	var all []Change
	walk(before.Dynamic.Node, after.Dynamic.Node, nil, func(path []string) {
		all = append(all, Change{strings.Join(path, "."), applies(path)})
	})
	return all, nil
}

// applied are the last names of members of the dynamic spec that change what a pipeline does.
var applied = []string{"target_state", "skip_if_expression", "timer_store_count_limit", "timer_store_byte_size_limit", "unavailable_time_half_decay_period"}

func applies(path []string) bool { return slices.Contains(applied, path[len(path)-1]) }

// differs finds the first place at which two values are not the same, and what stands there now, nil if nothing does.
func differs(a, b *Node, at []string) (path []string, now *Node) {
	walk(a, b, at, func(p []string) {
		if path == nil {
			path = p
			for now = b; len(p) > 0 && now != nil; p = p[1:] {
				now = now.Get(p[0])
			}
		}
	})
	return path, now
}

// walk tells of the members that are not the same in two maps: those of maps in both, one by one. A list is one value.
func walk(a, b *Node, at []string, tell func(path []string)) {
	isMap := func(n *Node) bool { return n == nil || n.Kind == Map || n.Kind == Null }
	if !isMap(a) || !isMap(b) {
		if string(a.JSON()) != string(b.JSON()) {
			tell(at)
		}
		return
	}
	for _, n := range []*Node{a, b} {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if n == b && a.Get(e.Key.Text) != nil {
				continue // told of already
			}
			walk(a.Get(e.Key.Text), b.Get(e.Key.Text), append(slices.Clip(at), e.Key.Text), tell)
		}
	}
}
