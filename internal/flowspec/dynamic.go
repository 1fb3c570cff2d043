package flowspec

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Dynamic is dynamic_spec: what may change while a pipeline runs.
type Dynamic struct {
	// Node is what was written, nil if nothing was.
	Node *Node
	// State is target_state: "working", "paused" or "stopped". Its Text is empty if it is not written, which means working.
	State Word
	// Limits are those of computations, by their ids.
	Limits map[string]Limits
}

// Limits are what a computation may keep; 0 is no limit written.
type Limits struct {
	// Timers is how many may be pending, and TimerBytes their size, in one key group's share of the pipeline. Flow: in one partition.
	Timers, TimerBytes int64
}

// Stopped reports whether the pipeline is not to run.
func (d *Dynamic) Stopped() bool { return d.State.Text == "stopped" || d.State.Text == "paused" }

// inert are the members of dynamic_spec that change nothing here: sizes and rates which the engine finds by itself. Flow has them per computation, and for the whole pipeline.
var (
	inertOfComputation = []string{"batch_duration", "max_rows_per_batch", "max_bytes_per_batch", "empty_batch_backoff", "output_store_count_limit", "output_store_byte_size_limit",
		"input_rows_throttler_id", "input_bytes_throttler_id", "blocked_time_window", "sinks", "key_visitor_streams", "parameters", "draining"}
	inertOfPipeline = []string{"throttlers", "resources", "job_manager", "job_tracker", "message_distributor", "controller_connector"}
)

func (r *reader) dynamic(p *Pipeline) {
	d := &p.Dynamic
	d.Limits = map[string]Limits{}
	if d.Node == nil {
		return
	}
	f := r.fields(d.Node, d.Node.Span, "dynamic_spec")
	if n := f.take("target_state"); n != nil {
		states := []string{"working", "paused", "stopped"}
		if f.scalar("target_state", n, String) && !slices.Contains(states, n.Text) {
			fault := &source.Error{Code: codeSpec, Span: n.Span, Message: "'target_state' is '" + n.Text + "'", Expected: states, Text: r.text}
			if n.Text == "completed" { // Flow: a state, which no spec asks for
				fault.Hint = "write working: a pipeline is completed by itself, once all its sources are finite and read; or stopped, to end it now"
			}
			r.err = fault
		}
		d.State = n.Word()
	}
	f.each("computation", func(name Word, n *Node) {
		c := p.Computation(name.Text)
		if c == nil {
			r.fail(codeUnknown, name.At, r.nearest(name.Text, texts(p.ids())), "the spec has no computation '%s'", name.Text)
			return
		}
		f := r.fields(n, name.At, "computation '"+name.Text+"' in dynamic_spec")
		if c.Skip = f.take("skip_if_expression"); c.Skip != nil {
			f.scalar("skip_if_expression", c.Skip, String)
		}
		d.Limits[name.Text] = Limits{Timers: f.size("timer_store_count_limit"), TimerBytes: f.size("timer_store_byte_size_limit")}
		f.each("source stream", func(name Word, n *Node) { r.dynamicSource(c, name, n) }, "source_streams")
		for _, name := range inertOfComputation {
			f.take(name)
		}
		f.done()
	}, "computations")
	for _, name := range inertOfPipeline {
		f.take(name)
	}
	f.done()
}

func (r *reader) dynamicSource(c *Computation, name Word, n *Node) {
	s := c.Source(name.Text)
	if s == nil {
		r.fail(codeUnknown, name.At, "", "computation '%s' has no source stream '%s'", c.ID.Text, name.Text)
		return
	}
	f := r.fields(n, name.At, "source stream '"+name.Text+"' in dynamic_spec")
	p := r.fields(r.parameters(f, "parameters"), name.At, "parameters of '"+name.Text+"'")
	s.HalfLife = p.duration("unavailable_time_half_decay_period", s.HalfLife)
	f.take("draining")
	f.done()
}

func (p *Pipeline) ids() []Word {
	var all []Word
	for _, c := range p.Computations {
		all = append(all, c.ID)
	}
	return all
}

func (r *reader) nearest(name string, candidates []string) string {
	if near := source.Nearest(name, candidates); near != "" {
		return "did you mean '" + near + "'?"
	}
	return ""
}
