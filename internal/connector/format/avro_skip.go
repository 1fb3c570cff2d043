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
	switch w.kind {
	case "int", "long", "enum":
		return func(d *AvroDecoder, at, _ int) int { _, at = d.long(at); return at }, nil
	case "bytes", "string":
		return func(d *AvroDecoder, at, _ int) int { _, at = d.bytes(at); return at }, nil
	case "array", "map":
		item, err := p.op(w.items, nil)
		if err != nil {
			return nil, err
		}
		ops := []avroOp{item}
		if w.kind == "map" {
			ops = []avroOp{{code: skipSized}, item}
		}
		return func(d *AvroDecoder, at, _ int) int {
			return d.items(at, func(at int) int { return d.record(ops, at, 0) })
		}, nil
	case "record":
		var ops []avroOp
		for _, f := range w.fields {
			op, err := p.op(f.of, nil)
			if err != nil {
				return nil, err
			}
			ops = append(ops, op)
		}
		return func(d *AvroDecoder, at, _ int) int { return d.record(ops, at, 0) }, nil
	case "union":
		var steps []avroStep
		for _, b := range w.branches {
			step, err := p.skip(b)
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
	size, _ := w.fixedSize()
	return func(d *AvroDecoder, at, _ int) int { return d.fixed(at, size) }, nil
}
