package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// joinHints choose how a batch job joins. Flink 2.3: a streaming job passes them over.
var joinHints = []string{"BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP"}

// refusedHints are the other hints of Flink behind SELECT, with what to do.
var refusedHints = map[string]string{
	"STATE_TTL":  "leave it out: windows drop their state when they are answered; aggregations without windows, joins and set operations keep theirs as long as the statement runs",
	"LOOKUP":     "leave it out: there are no lookup joins",
	"MULTI_JOIN": "leave it out: the engine chooses how it joins",
	"EARLY_FIRE": "leave it out: a window is answered once, when the watermark has passed its end",
	"OPTIONS":    "put it behind the table that it is for: FROM t /*+ OPTIONS('key' = 'value') */",
}

// queryHints checks the hints behind SELECT.
func (b *Binder) queryHints(hints []sql.Hint) error {
	for _, h := range hints {
		name := upperASCII(h.Name.Name)
		if slices.Contains(joinHints, name) {
			continue
		}
		hint, ok := refusedHints[name]
		if !ok {
			hint = didYouMean(name, joinHints, "leave it out; a table takes /*+ OPTIONS('key' = 'value') */")
		}
		return b.unsupported(h.Span(), hint, "hint %s behind SELECT is", name)
	}
	return nil
}

func (b *Binder) noHints(hints []sql.Hint, on string) error {
	if len(hints) == 0 {
		return nil
	}
	return b.unsupported(hints[0].Span(), "put the hint where a table is read", "a hint on %s is", on)
}

// tableHint says what to write in place of a hint behind a table. WATERMARK_PARAMS is what Flink's OPTIONS of watermarks were to be called once.
func tableHint(name string) string {
	if upperASCII(name) == "WATERMARK_PARAMS" {
		return "write it with Flink's options: OPTIONS('scan.watermark.emit.strategy' = 'on-event', 'scan.watermark.emit.on-event.gap' = '1000', 'scan.watermark.idle-timeout' = '1 min')"
	}
	return "the hint there is: OPTIONS('key' = 'value')"
}

// hints applies OPTIONS hints to t and lists them. Flink 2.3: of two hints for one option the first holds.
func (b *Binder) hints(t *catalog.Table, list []sql.Hint) (connector.Options, error) {
	options := connector.Options{}
	for _, h := range list {
		if upperASCII(h.Name.Name) != "OPTIONS" {
			return nil, b.unsupported(h.Span(), tableHint(h.Name.Name), "hint %s is", h.Name.Name)
		}
		for _, o := range h.Options {
			key := o.Key.Value
			if key == catalog.KeyIdleTimeout { // Confluent: what SET says for all tables, a hint says for one
				key = plan.OptionIdleTimeout
			}
			if key == "connector" {
				return nil, b.errorf(codeOption, o.Span(), "make another table of it: CREATE TABLE … WITH ('connector' = '…') LIKE "+t.Name, "a hint cannot change the 'connector' of a table")
			}
			if _, twice := options[key]; !twice {
				options[key], t.Options[key], t.Places[key] = o.Value.Value, o.Value.Value, catalog.Place{Text: b.text, Span: o.Span()}
			}
		}
	}
	return options, nil
}
