package flow

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Computation handles the messages of a computation's input streams. Calls come from one goroutine, one after the other. Several computations
// of one name work side by side, each for keys of its own, so what they have in common has to be guarded. An error ends the pipeline, as a panic does; both are told with the
// name of the computation.
type Computation interface {
	// ProcessMessage handles a message. Context and message may not be kept when it returns.
	ProcessMessage(c *Context, m *Message) error
}

// TimerHandler is what a Computation with timers is too.
type TimerHandler interface {
	// OnTimer handles a timer that is due. Context and timer may not be kept when it returns.
	OnTimer(c *Context, t *Timer) error
}

// Opener is what a Computation is too that wants to prepare itself.
type Opener interface {
	// Open is called once, before everything else.
	Open(s *Setup) error
}

// MessageFunc is a Computation that has nothing but messages.
type MessageFunc func(c *Context, m *Message) error

// ProcessMessage implements Computation.
func (f MessageFunc) ProcessMessage(c *Context, m *Message) error { return f(c, m) }

// Computations make computations, by the name that a spec calls them. Each is called whenever the pipeline begins, or goes on from a checkpoint, once for each of the tasks that work
// side by side.
type Computations map[string]func() Computation

// Setup is what a computation can know before the first message.
type Setup struct {
	spec       *process.Spec
	parameters []byte
}

// Name is that of the computation in its pipeline.
func (s *Setup) Name() string { return s.spec.Name }

// Parameters reads 'processing_function_parameters' into v, as encoding/json does; without any, v stays as it is. A field that v does not have is an error.
func (s *Setup) Parameters(v any) error {
	if s.parameters == nil {
		return nil
	}
	if err := strictly(s.parameters, v); err != nil {
		return fmt.Errorf("processing_function_parameters: %w", err)
	}
	return nil
}

// makers are computations as the engine makes them.
func (all Computations) makers() process.Makers {
	m := process.Makers{}
	for name, make := range all {
		m[name] = func(spec *process.Spec, parameters []byte) (process.Function, error) {
			return newFunction(spec, parameters, make)
		}
	}
	return m
}

// function is a Computation as the engine calls it.
type function struct {
	computation Computation
	timer       TimerHandler // nil if it has none
	c           Context
	m           Message
	t           Timer
	inputs      []*stream
	key         *stream
}

func newFunction(spec *process.Spec, parameters []byte, make func() Computation) (process.Function, error) {
	f := &function{computation: make()}
	if f.computation == nil {
		return nil, fmt.Errorf("there is no computation: the function that makes it returned nil")
	}
	f.timer, _ = f.computation.(TimerHandler)
	if f.timer == nil && len(spec.Timers) > 0 {
		return nil, fmt.Errorf("it has timers, '%s', and %T has no method OnTimer that would handle them", spec.Timers[0].Name, f.computation)
	}
	for i := range spec.Inputs {
		in := &spec.Inputs[i]
		f.inputs = append(f.inputs, newStream(in.Name, in.Columns, in.EventTime, in.SystemTime))
	}
	f.key = keyStream(&spec.Inputs[0])
	f.c.define(spec)
	if o, ok := f.computation.(Opener); ok {
		if err := o.Open(&Setup{spec, parameters}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Message implements process.Function.
func (f *function) Message(c *process.Context, m *process.Message) error {
	f.c.inner = c
	f.m.Row = Row{f.inputs[m.Input], &m.Values, &f.c}
	f.m.inner = m
	return f.computation.ProcessMessage(&f.c, &f.m)
}

// Timer implements process.Function.
func (f *function) Timer(c *process.Context, t *process.Timer) error {
	f.c.inner = c
	f.t.Row = Row{f.key, &t.Values, &f.c}
	f.t.inner = t
	return f.timer.OnTimer(&f.c, &f.t)
}

// unknown is an error about a name that is not among those that there are.
func unknown(what, name string, all []string) error {
	hint := fmt.Sprintf("; there are %q", all)
	if near := source.Nearest(name, all); near != "" {
		hint = fmt.Sprintf("; did you mean '%s'?", near)
	} else if len(all) == 0 {
		hint = "; there is none"
	}
	return fmt.Errorf("%s '%s' is not there%s", what, name, hint)
}

// strictly reads JSON into v, and wants every field to be there.
func strictly(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}
