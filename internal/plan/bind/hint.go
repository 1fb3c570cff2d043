package bind

import (
	"maps"
	"slices"
	"strings"

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

// watermarkParams are the options of the hint WATERMARK_PARAMS, by which FLIP-296 proposed to set what options of a table set in Flink now.
var watermarkParams = map[string]string{
	"emit-strategy": plan.OptionEmit, "emit-gap-on-event": plan.OptionGap, "idle-timeout": plan.OptionIdleTimeout,
	"align-group": plan.OptionAlignGroup, "align-max-drift": plan.OptionAlignDrift, "align-update-interval": plan.OptionAlignEvery,
}

// tableOption is the option of a table that o sets in hint h, and its value.
func (b *Binder) tableOption(h *sql.Hint, o *sql.Option) (key, value string, err error) {
	key, value = o.Key.Value, o.Value.Value
	if upperASCII(h.Name.Name) == "OPTIONS" {
		if key == catalog.KeyIdleTimeout { // Confluent: what SET says for all tables, a hint says for one
			key = plan.OptionIdleTimeout
		}
		return key, value, nil
	}
	named, ok := watermarkParams[strings.ToLower(key)]
	if !ok {
		names := slices.Sorted(maps.Keys(watermarkParams))
		return "", "", b.errorf(codeOption, o.Span(), didYouMean(strings.ToLower(key), names, "it has: "+join(names)), "WATERMARK_PARAMS has no '%s'", key)
	}
	if named == plan.OptionEmit {
		value = strings.ReplaceAll(strings.ToLower(value), "_", "-")
	}
	return named, value, nil
}

// hints applies OPTIONS and WATERMARK_PARAMS hints to t and lists them. Flink 2.3: of two hints for one option the first holds. FLIP-296: WATERMARK_PARAMS wins over OPTIONS.
func (b *Binder) hints(t *catalog.Table, list []sql.Hint) (connector.Options, error) {
	options := connector.Options{}
	for _, name := range []string{"WATERMARK_PARAMS", "OPTIONS"} {
		for i := range list {
			h := &list[i]
			switch upperASCII(h.Name.Name) {
			case name:
				if err := b.hint(t, h, options); err != nil {
					return nil, err
				}
			case "OPTIONS", "WATERMARK_PARAMS":
			default:
				return nil, b.unsupported(h.Span(), "the hints there are: OPTIONS('key' = 'value'), WATERMARK_PARAMS('key' = 'value')", "hint %s is", h.Name.Name)
			}
		}
	}
	return options, nil
}

// hint applies one hint to t, apart from what is in options already.
func (b *Binder) hint(t *catalog.Table, h *sql.Hint, options connector.Options) error {
	for i := range h.Options {
		o := &h.Options[i]
		key, value, err := b.tableOption(h, o)
		if err != nil {
			return err
		}
		if key == "connector" {
			return b.errorf(codeOption, o.Span(), "make another table of it: CREATE TABLE … WITH ('connector' = '…') LIKE "+t.Name, "a hint cannot change the 'connector' of a table")
		}
		if _, twice := options[key]; !twice {
			options[key], t.Options[key], t.Places[key] = value, value, catalog.Place{Text: b.text, Span: o.Span()}
		}
	}
	return nil
}
