package bind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// joinHints choose how a batch job joins. Flink 2.3: a streaming job passes them over.
var joinHints = []string{"BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP"}

// refusedHints are the other hints of Flink behind SELECT, with what to do.
var refusedHints = map[string]string{
	"LOOKUP":     "leave it out: there are no lookup joins",
	"MULTI_JOIN": "leave it out: the engine chooses how it joins",
	"EARLY_FIRE": "leave it out: a window is answered once, when the watermark has passed its end",
	"OPTIONS":    "put it behind the table that it is for: FROM t /*+ OPTIONS('key' = 'value') */",
}

// queryHints checks the hints behind SELECT, except those that say how long state is kept.
func (b *Binder) queryHints(hints []sql.Hint) error {
	for _, h := range hints {
		name := upperASCII(h.Name.Name)
		if slices.Contains(joinHints, name) || name == plan.StateTTLHint {
			continue
		}
		hint, ok := refusedHints[name]
		if !ok {
			hint = didYouMean(name, append([]string{plan.StateTTLHint}, joinHints...), "leave it out; a table takes /*+ OPTIONS('key' = 'value') */")
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

// inParams gives the options in a text the names that they have in WATERMARK_PARAMS.
func inParams(text string) string {
	for name, option := range watermarkParams {
		text = strings.ReplaceAll(text, "'"+option+"'", "'"+name+"'")
	}
	return text
}

// tableOption is the option of a table that o sets in hint h, how it is called there, and its value.
func (b *Binder) tableOption(h *sql.Hint, o *sql.Option) (key, spelled, value string, err error) {
	spelled, value = o.Key.Value, o.Value.Value
	if upperASCII(h.Name.Name) == optionsHint {
		if spelled == catalog.KeyIdleTimeout { // Confluent: what SET says for all tables, a hint says for one
			return plan.OptionIdleTimeout, spelled, value, nil
		}
		return spelled, spelled, value, nil
	}
	spelled = strings.ToLower(spelled)
	key, ok := watermarkParams[spelled]
	if !ok {
		for name, option := range watermarkParams {
			if option == spelled {
				return "", "", "", b.errorf(source.CodeOption, o.Span(), fmt.Sprintf("write '%s' here, or the hint %s('%s' = '…')", name, optionsHint, option), "WATERMARK_PARAMS has no '%s'", o.Key.Value)
			}
		}
		names := slices.Sorted(maps.Keys(watermarkParams))
		return "", "", "", b.errorf(source.CodeOption, o.Span(), didYouMean(spelled, names, "it has: "+join(names)), "WATERMARK_PARAMS has no '%s'", o.Key.Value)
	}
	if key == plan.OptionEmit {
		value = strings.ReplaceAll(strings.ToLower(value), "_", "-")
	}
	return key, spelled, value, nil
}

// The hints for a table.
const (
	paramsHint  = "WATERMARK_PARAMS"
	optionsHint = "OPTIONS"
)

// hints applies OPTIONS and WATERMARK_PARAMS hints to t and gives what each of the two says. Flink 2.3: of two hints for one option the first holds. FLIP-296:
// WATERMARK_PARAMS wins over OPTIONS.
func (b *Binder) hints(t *catalog.Table, list []sql.Hint) ([]plan.Level, error) {
	var levels []plan.Level
	for _, name := range []string{paramsHint, optionsHint} {
		level := plan.Level{Origin: name, Options: connector.Options{}, Spelled: map[string]string{}}
		for i := range list {
			h := &list[i]
			switch upperASCII(h.Name.Name) {
			case name:
				if err := b.hint(t, h, level, levels); err != nil {
					return nil, err
				}
			case optionsHint, paramsHint:
			default:
				return nil, b.unsupported(h.Span(), didYouMean(h.Name.Name, []string{paramsHint, optionsHint}, "the hints there are: OPTIONS('key' = 'value'), WATERMARK_PARAMS('key' = 'value')"), "hint %s is", h.Name.Name)
			}
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// hint adds one hint to a level, and to t what neither that nor a higher one has said.
func (b *Binder) hint(t *catalog.Table, h *sql.Hint, level plan.Level, higher []plan.Level) error {
	for i := range h.Options {
		o := &h.Options[i]
		key, spelled, value, err := b.tableOption(h, o)
		if err != nil {
			return err
		}
		if key == "connector" {
			return b.errorf(source.CodeOption, o.Span(), "make another table of it: CREATE TABLE … WITH ('connector' = '…') LIKE "+t.Name, "a hint cannot change the 'connector' of a table")
		}
		if key == plan.OptionHandover {
			return b.errorf(source.CodeOption, o.Span(), "set it in CREATE TABLE … WITH (…)", "a hint cannot switch the hand-over of watermarks, in which all who write to the table and read it take part")
		}
		if _, twice := level.Options[key]; twice {
			continue
		}
		level.Options[key], level.Spelled[key] = value, spelled
		if !slices.ContainsFunc(higher, func(l plan.Level) bool { _, said := l.Options[key]; return said }) {
			t.Options[key], t.Places[key] = value, catalog.Place{Text: b.text, Span: o.Span(), Hint: upperASCII(h.Name.Name)}
		}
	}
	return nil
}
