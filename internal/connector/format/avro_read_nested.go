package format

import (
	"fmt"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

func (p *avroPlanner) nested(w *avroType, t target) (avroStep, error) {
	n := t.node
	var parts avroStep
	switch w.kind {
	case "array":
		item, err := p.read(w.items, target{column: &n.elem.column, node: n.elem})
		if err != nil {
			return nil, err
		}
		parts = func(d *AvroDecoder, at, _ int) int {
			return d.items(at, func(at int) int { return item(d, at, n.elem.push()) })
		}
	case "map":
		value, err := p.read(w.items, target{column: &n.elem.column, node: n.elem})
		if err != nil {
			return nil, err
		}
		parts = func(d *AvroDecoder, at, _ int) int {
			return d.items(at, func(at int) int { return d.entry(n, at, value) })
		}
	default:
		step, err := p.record(w, n)
		if err != nil {
			return nil, err
		}
		parts = step
	}
	return func(d *AvroDecoder, at, i int) int {
		if t.top {
			n.reset()
		}
		if at = parts(d, at, 0); at < 0 {
			return -1
		}
		if t.top {
			from := len(t.data)
			t.data = n.pack(t.data)
			t.vector.Views[i] = vector.View{Off: uint32(from), Len: uint32(len(t.data) - from)}
			return at
		}
		from := len(n.data)
		n.data = n.pack(n.data)
		n.seal(i, from)
		return at
	}, nil
}

// entry reads an entry of a map. Of equal keys the last counts.
func (d *AvroDecoder) entry(n *node, at int, value avroStep) int {
	from, to := d.bytes(at)
	if to < 0 {
		return -1
	}
	key := d.buf[from:to]
	if !utf8.Valid(key) {
		return d.fail(&n.column, "a key is not valid UTF-8")
	}
	k, twice := n.at[string(key)]
	if !twice {
		k = n.elem.push()
		n.key.setBytes(n.key.push(), key)
		n.at[string(key)] = k
	}
	n.elem.vector.Valid.Set(k)
	return value(d, to, k)
}

func (p *avroPlanner) record(w *avroType, n *node) (avroStep, error) {
	var steps []avroStep
	found := map[string]bool{}
	for _, f := range w.fields {
		k, ok := n.byName[f.name]
		if !ok {
			step, err := p.skip(f.of)
			if err != nil {
				return nil, err
			}
			steps = append(steps, step)
			continue
		}
		found[f.name] = true
		child := n.fields[k]
		step, err := p.read(f.of, target{column: &child.column, node: child})
		if err != nil {
			return nil, err
		}
		steps = append(steps, func(d *AvroDecoder, at, _ int) int {
			child.vector.Valid.Set(0)
			return step(d, at, 0)
		})
	}
	for _, child := range n.fields {
		if name := child.Name[len(n.Name)+1:]; !found[name] && child.Type.NotNull {
			return nil, fmt.Errorf("field '%s' is NOT NULL, and the writer's schema has no such field", child.Name)
		}
	}
	all := inOrder(steps)
	return func(d *AvroDecoder, at, _ int) int {
		for _, child := range n.fields {
			child.setNull(child.push())
		}
		return all(d, at, 0)
	}, nil
}

func inOrder(steps []avroStep) avroStep {
	return func(d *AvroDecoder, at, n int) int {
		for _, step := range steps {
			if at = step(d, at, n); at < 0 {
				return -1
			}
		}
		return at
	}
}
