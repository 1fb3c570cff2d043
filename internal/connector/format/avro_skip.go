package format

import "errors"

// avroPlanner makes the steps of one plan.
type avroPlanner struct {
	skips map[*avroType]avroStep // nil while it is being made
}

// skip works out how to step over a value.
func (p *avroPlanner) skip(w *avroType) (avroStep, error) {
	if step, known := p.skips[w]; known {
		if step == nil {
			return nil, errors.New("the Avro schema has a type that holds itself, and such values cannot be stepped over")
		}
		return step, nil
	}
	p.skips[w] = nil
	step, err := p.makeSkip(w)
	p.skips[w] = step
	return step, err
}

func (p *avroPlanner) makeSkip(w *avroType) (avroStep, error) {
	inner := p.skip
	switch w.kind {
	case "null":
		return func(_ *AvroDecoder, at, _ int) int { return at }, nil
	case "int", "long", "enum":
		return func(d *AvroDecoder, at, _ int) int { _, at = d.long(at); return at }, nil
	case "bytes", "string":
		return func(d *AvroDecoder, at, _ int) int { _, at = d.bytes(at); return at }, nil
	case "array", "map":
		item, err := inner(w.items)
		if err != nil {
			return nil, err
		}
		return func(d *AvroDecoder, at, _ int) int {
			return d.items(at, func(at int) int {
				if w.kind == "map" {
					if _, at = d.bytes(at); at < 0 {
						return -1
					}
				}
				return item(d, at, 0)
			})
		}, nil
	case "record":
		var steps []avroStep
		for _, f := range w.fields {
			step, err := inner(f.of)
			if err != nil {
				return nil, err
			}
			steps = append(steps, step)
		}
		return inOrder(steps), nil
	case "union":
		var steps []avroStep
		for _, b := range w.branches {
			step, err := inner(b)
			if err != nil {
				return nil, err
			}
			steps = append(steps, step)
		}
		return func(d *AvroDecoder, at, _ int) int {
			branch, at := d.long(at)
			if at < 0 {
				return -1
			}
			if branch < 0 || branch >= int64(len(steps)) {
				return d.fail(nil, "branch %d of a union of %d", branch, len(steps))
			}
			return steps[branch](d, at, 0)
		}, nil
	}
	size := map[string]int{"boolean": 1, "float": 4, "double": 8, "fixed": w.size}[w.kind]
	return func(d *AvroDecoder, at, _ int) int { return d.fixed(at, size) }, nil
}
