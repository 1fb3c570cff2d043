package flowspec_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestChanges: what may change while a pipeline runs, and what may not.
func TestChanges(t *testing.T) {
	before, err := flowspec.Parse(source.Text{Name: "base.yaml", Body: base(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "target_state: working", "target_state: working", "[]"},
		{"the layout", joinerInputs, "input_stream_ids: [ shows , clicks ] # both", "[]"},
		{"the state", "target_state: working", "target_state: stopped", "[{target_state true}]"},
		{"a limit", "timer_store_count_limit: 250K", "timer_store_count_limit: 500K", "[{computations.joiner.timer_store_count_limit true}]"},
		{"a size", "max_rows_per_batch: 1000", "max_rows_per_batch: 500", "[{computations.joiner.max_rows_per_batch false}]"},
		{"what is skipped", "skip_if_expression: id = 'nobody'", "skip_if_expression: id = 'somebody'", "[{computations.filter.skip_if_expression true}]"},
		{"nothing is skipped any more", "    filter: {skip_if_expression: id = 'nobody'}\n", "", "[{computations.filter.skip_if_expression true}]"},
		{"a limit that is new", "filter: {skip_if_expression: id = 'nobody'}", "filter: {skip_if_expression: id = 'nobody'}\n    counter: {batch_duration: 2s}", "[{computations.counter.batch_duration false}]"},
		{"a bound", `out_of_orderness_bound: "2m"`, `out_of_orderness_bound: "3m"`, "computations.shows_reader.watermark_strategy.watermark_generator.out_of_orderness_bound"},
		{"a bound that is gone", `          out_of_orderness_bound: "2m"` + "\n", "", "computations.shows_reader.watermark_strategy.watermark_generator.out_of_orderness_bound"},
		{"a stream", joinedStream, "joined: {schema: [{name: id, type: string}]}", "streams.joined.schema"},
	} {
		after, err := flowspec.Parse(changed(t, c.old, c.new))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		changes, err := flowspec.Changes(before, after)
		got := fmt.Sprint(changes)
		if placed, ok := errors.AsType[*source.Error](err); ok {
			got, c.want = placed.Message, "'"+c.want+"' is another than what runs, and the static spec changes only while the pipeline is stopped"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
