package connector

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Options are the options of one table, as its WITH clause and hints give them.
type Options map[string]string

// OptionError is an option that a connector does not take. Key says which, so that whoever knows the statement can point at it.
type OptionError struct {
	Key     string
	Message string
	Hint    string
}

func (e *OptionError) Error() string { return e.Message }

// Spec is one option that a connector understands.
type Spec struct {
	Key string
	// Doc is a sentence for the reference, with the unit.
	Doc string
	// Default says in the reference what holds without the option; empty if that needs no words.
	Default string
	// Required options have no default.
	Required bool
	// NotYet is for options that Flink has and that are refused: what holds instead, or what to do.
	NotYet string
	// Values lists what may be said, if that is a closed set.
	Values []string
	// Count says that the value is a whole number from 1 on.
	Count bool
	// Choice and Chosen say that the option belongs to the value Chosen of the option Choice, if it belongs to one: 'csv.field-delimiter' to 'format' = 'csv'.
	Choice, Chosen string
	// Prefix means that Key stands for every option that begins with it, such as 'fields.'.
	Prefix bool
}

// SinkParallelism is Flink's option of most sinks.
var SinkParallelism = Spec{Key: "sink.parallelism", Count: true, Doc: "how many writers Flink makes; here it is one, whatever this says"}

// Check reports the first option, by name, that no spec knows; if there is none, the first spec that has no option, not an allowed value, or one
// although it is not there yet.
func Check(connector string, o Options, specs []Spec) error {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if !Known(key, specs) {
			e := &OptionError{Key: key, Message: fmt.Sprintf("connector '%s' has no option '%s'", connector, key)}
			if near := nearest(key, keys(specs)); near != "" {
				e.Hint = fmt.Sprintf("did you mean '%s'?", near)
			} else {
				e.Hint = "it takes: " + strings.Join(keys(chosen(o, specs)), ", ")
			}
			return e
		}
	}
	for _, s := range specs {
		v, ok := o[s.Key]
		if !ok && s.Prefix && s.NotYet != "" {
			for _, key := range slices.Sorted(maps.Keys(o)) {
				if strings.HasPrefix(key, s.Key) {
					return &OptionError{Key: key, Message: fmt.Sprintf("option '%s' is not there yet", key), Hint: s.NotYet}
				}
			}
		}
		if ok && s.NotYet != "" {
			return &OptionError{Key: s.Key, Message: fmt.Sprintf("option '%s' is not there yet", s.Key), Hint: s.NotYet}
		}
		if s.Required && !ok {
			return &OptionError{Key: "connector", Message: fmt.Sprintf("connector '%s' needs the option '%s'", connector, s.Key),
				Hint: fmt.Sprintf("add '%s' = '…': %s", s.Key, s.Doc)}
		}
		if n, err := strconv.ParseInt(v, 10, 32); ok && s.Count && (err != nil || n < 1) {
			return &OptionError{Key: s.Key, Message: fmt.Sprintf("option '%s' is '%s', which is not a whole number from 1 on", s.Key, v), Hint: "write a number, such as '4'"}
		}
		if ok && s.Values != nil && !slices.Contains(s.Values, v) {
			e := &OptionError{Key: s.Key, Message: fmt.Sprintf("option '%s' cannot be '%s'", s.Key, v), Hint: "use one of: " + strings.Join(s.Values, ", ")}
			if i := slices.IndexFunc(s.Values, func(value string) bool { return strings.EqualFold(value, v) }); i >= 0 {
				e.Hint = fmt.Sprintf("case counts: write '%s'", s.Values[i])
			}
			return e
		}
	}
	return nil
}

// Known tells whether a spec is about the option.
func Known(key string, specs []Spec) bool {
	for _, s := range specs {
		if s.Key == key || s.Prefix && strings.HasPrefix(key, s.Key) {
			return true
		}
	}
	return false
}

// keys are the options to suggest.
func keys(specs []Spec) []string {
	var names []string
	for _, s := range specs {
		if s.NotYet == "" {
			names = append(names, s.Key)
		}
	}
	return names
}

// chosen are the specs that belong to what o chooses, such as a format.
func chosen(o Options, specs []Spec) []Spec {
	return slices.DeleteFunc(slices.Clone(specs), func(s Spec) bool { return s.Choice != "" && o[s.Choice] != s.Chosen })
}

// nearest is the option that key was meant to be, or "": one that is spelled alike, or the shortest that has all its words.
func nearest(key string, options []string) string {
	if near := source.Nearest(key, options); near != "" {
		return near
	}
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(".-_", r) })
	}
	best, all := "", words(key)
	if len(all) < 2 {
		return "" // a single word is part of too many
	}
	for _, option := range options {
		has := words(option)
		if !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(has, w) }) && (best == "" || len(option) < len(best)) {
			best = option
		}
	}
	return best
}

// Int reads a whole number, or gives fallback if the option is absent.
func (o Options) Int(key string, fallback int64) (int64, error) {
	v, ok := o[key]
	if !ok {
		return fallback, nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
	if err != nil {
		return 0, &OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s', which is not a whole number", key, v), Hint: "write digits only"}
	}
	return n, nil
}

// Bool reads true or false, or gives fallback if the option is absent.
func (o Options) Bool(key string, fallback bool) (bool, error) {
	v, ok := o[key]
	if !ok {
		return fallback, nil
	}
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, &OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s'", key, v), Hint: "write true or false"}
}

// Duration reads a length of time as Flink spells it ("200 ms", "10s", "5 min", "0") in microseconds, or gives fallback if the option is absent.
func (o Options) Duration(key string, fallback int64) (int64, error) {
	v, ok := o[key]
	if !ok {
		return fallback, nil
	}
	d, err := ParseDuration(v)
	if err != nil {
		return 0, &OptionError{Key: key, Message: fmt.Sprintf("option '%s': %s", key, err), Hint: "write a number and a unit, such as '200 ms', '10 s', '5 min', '1 h' or '1 d'"}
	}
	return d, nil
}

var units = []struct {
	micros int64
	names  []string
}{
	{int64(24 * time.Hour / time.Microsecond), []string{"d", "day", "days"}},
	{int64(time.Hour / time.Microsecond), []string{"h", "hour", "hours"}},
	{int64(time.Minute / time.Microsecond), []string{"m", "min", "minute", "minutes"}},
	{int64(time.Second / time.Microsecond), []string{"s", "sec", "secs", "second", "seconds"}},
	{1000, []string{"", "ms", "milli", "millis", "millisecond", "milliseconds"}},
	{1, []string{"us", "µs", "micro", "micros", "microsecond", "microseconds"}},
}

// sizes are the units of Flink's memory sizes.
var sizes = []struct {
	bytes int64
	names []string
}{
	{1, []string{"", "b", "bytes"}},
	{1 << 10, []string{"k", "kb", "kibibytes"}},
	{1 << 20, []string{"m", "mb", "mebibytes"}},
	{1 << 30, []string{"g", "gb", "gibibytes"}},
	{1 << 40, []string{"t", "tb", "tebibytes"}},
}

// Size reads a number of bytes as Flink spells it ("128 MB", "1g", "4096"), or gives fallback if the option is absent.
func (o Options) Size(key string, fallback int64) (int64, error) {
	v, ok := o[key]
	if !ok {
		return fallback, nil
	}
	if n, ok := ParseSize(v); ok {
		return n, nil
	}
	return 0, &OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s', which is not a size", key, v), Hint: "write a number and a unit, such as '128 MB' or '1 GB'"}
}

// ParseSize reads a number of bytes, as Size does.
func ParseSize(s string) (n int64, ok bool) {
	text := strings.TrimSpace(s)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	unit := strings.ToLower(strings.TrimSpace(text[digits:]))
	for _, u := range sizes {
		if err == nil && slices.Contains(u.names, unit) && n <= (1<<62)/u.bytes {
			return n * u.bytes, true
		}
	}
	return 0, false
}

// ParseDuration reads a length of time in microseconds. Flink 2.3: a number without a unit counts milliseconds.
func ParseDuration(s string) (int64, error) {
	text := strings.TrimSpace(s)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("'%s' is not a length of time", s)
	}
	unit := strings.ToLower(strings.TrimSpace(text[digits:]))
	for _, u := range units {
		if slices.Contains(u.names, unit) {
			if n > (1<<62)/u.micros {
				return 0, fmt.Errorf("'%s' is too long", s)
			}
			return n * u.micros, nil
		}
	}
	return 0, fmt.Errorf("'%s' has no unit that is known", s)
}
