package flowspec

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// reader turns nodes into parts of a pipeline. After the first error it reads no further.
type reader struct {
	text      source.Text
	err       error
	warnings  []Warning
	strangers []stranger
}

// stranger is a member of a map that nobody took, and the member that it was probably meant to be, or "".
type stranger struct {
	of    *Node
	name  string
	meant string
}

func (r *reader) fail(code string, at source.Span, hint, format string, args ...any) {
	if r.err == nil {
		r.err = &source.Error{Code: code, Span: at, Message: fmt.Sprintf(format, args...), Hint: hint, Text: r.text}
	}
}

func (r *reader) warn(at source.Span, format string, args ...any) {
	r.warnings = append(r.warnings, Warning{at, fmt.Sprintf(format, args...)})
}

// fields is a map whose members are taken one by one.
type fields struct {
	*reader
	node *Node
	// at is where the map is named, and what it is called in errors.
	at    source.Span
	what  string
	known []string
}

// fields begins to take the members of n; nil and nothing are an empty map.
func (r *reader) fields(n *Node, at source.Span, what string) *fields {
	f := &fields{reader: r, node: n, at: at, what: what}
	if n != nil && n.Kind != Map && n.Kind != Null {
		hint := "write its members as names with values"
		if member := mainMember[what]; member != "" && n.Kind != List {
			hint = "write it as '" + member + "' inside of " + what
		}
		r.fail(codeSpec, n.Span, hint, "%s is a map, and this is %s", what, n.Kind)
		f.node = nil
	}
	return f
}

// mainMember is what somebody means who writes a value where a map belongs.
var mainMember = map[string]string{
	"event_timestamp_assigner":     "column",
	"watermark_generator":          "out_of_orderness_bound",
	"idle_partitions":              "duration",
	"unavailable_partition_groups": "max_unavailable_groups",
	"late_data_partitions":         "value",
	"watermark_alignment":          "drift_bound",
	"watermark_percentile":         "value",
}

// take is a member, nil if there is none. The first of its names that is there counts.
func (f *fields) take(names ...string) *Node {
	f.known = append(f.known, names...)
	var found *Node
	for _, name := range names {
		n := f.node.Get(name)
		if n == nil || n.Kind == Null {
			continue
		}
		if found != nil {
			f.fail(codeSpec, f.key(name), "write one of them", "'%s' and '%s' are two names of one thing", names[0], name)
		}
		found = n
	}
	return found
}

// key is where the name of a member stands.
func (f *fields) key(name string) source.Span {
	if f.node != nil {
		for _, e := range f.node.Entries {
			if e.Key.Text == name {
				return e.Key.At
			}
		}
	}
	return f.at
}

// done warns of members that nobody took. Flow: unknown fields are kept, and are warnings.
func (f *fields) done() {
	if f.node == nil {
		return
	}
	for _, e := range f.node.Entries {
		if slices.Contains(f.known, e.Key.Text) {
			continue
		}
		meant, near := "", source.Nearest(e.Key.Text, f.known)
		if near != "" {
			meant = "; did you mean '" + near + "'?"
		}
		f.strangers = append(f.strangers, stranger{f.node, e.Key.Text, near})
		f.warn(e.Key.At, "%s has no '%s', so it is passed over%s", f.what, e.Key.Text, meant)
	}
}

// lacking is the hint of an error about members of n that are not there, none of them: it names the stranger that was meant to be one. n has been read to its end.
func (r *reader) lacking(n *Node, otherwise string, members ...string) string {
	for _, s := range r.strangers {
		if s.of == n && slices.Contains(members, s.meant) {
			return "'" + s.name + "' is not known here; did you mean '" + s.meant + "'?"
		}
	}
	return otherwise
}

// scalar wants one of some kinds.
func (f *fields) scalar(name string, n *Node, kinds ...Kind) bool {
	if n == nil || f.err != nil {
		return false
	}
	if !slices.Contains(kinds, n.Kind) {
		f.fail(codeSpec, n.Span, "", "'%s' is %s, and this is %s", name, kinds[0], n.Kind)
		return false
	}
	return true
}

// word reads a text.
func (f *fields) word(names ...string) Word {
	n := f.take(names...)
	if !f.scalar(names[0], n, String, Number) {
		return Word{}
	}
	if n.Text == "" {
		f.fail(codeSpec, n.Span, "", "'%s' is empty", names[0])
	}
	return n.Word()
}

func (f *fields) boolean(name string, fallback bool) bool {
	n := f.take(name)
	if n != nil && n.Kind == String && (n.Text == "true" || n.Text == "false") {
		return n.Text == "true"
	}
	if !f.scalar(name, n, Bool) {
		return fallback
	}
	return n.Text == "true"
}

func (f *fields) whole(name string, fallback, least, most int) int {
	n := f.take(name)
	if !f.scalar(name, n, Number) {
		return fallback
	}
	v, err := strconv.Atoi(n.Text)
	if err != nil || v < least || v > most {
		to := fmt.Sprintf("from %d to %d", least, most)
		if most == math.MaxInt32 {
			to = fmt.Sprintf("of at least %d", least)
		}
		f.fail(codeSpec, n.Span, "", "'%s' is a whole number %s, and this is %s", name, to, n.Text)
		return fallback
	}
	return v
}

// sizes are what may stand behind the number of a size.
var sizes = []struct {
	suffix string
	factor int64
}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}

// size reads a count or a number of bytes: 250000, "250K", "100Mi"; 0 if there is none.
func (f *fields) size(name string) int64 {
	n := f.take(name)
	if !f.scalar(name, n, Number, String) {
		return 0
	}
	text, factor := n.Text, int64(1)
	for _, s := range sizes {
		if cut, ok := strings.CutSuffix(strings.TrimSuffix(text, "B"), s.suffix); ok {
			text, factor = cut, s.factor
			break
		}
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v <= 0 || v > math.MaxInt64/factor {
		f.fail(codeSpec, n.Span, "write a whole number, such as 250000, \"250K\" or \"100Mi\"", "'%s' is not a size", n.Text)
		return 0
	}
	return v * factor
}

func (f *fields) ratio(name string, fallback float64) float64 {
	n := f.take(name)
	if !f.scalar(name, n, Number) {
		return fallback
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		f.fail(codeSpec, n.Span, "", "'%s' is a share from 0 to 1, and this is %s", name, n.Text)
		return fallback
	}
	return v
}

func (f *fields) duration(name string, fallback int64) int64 {
	n := f.take(name)
	if n == nil {
		return fallback
	}
	return f.length(name, n)
}

// length is the value of a duration in microseconds.
func (f *fields) length(name string, n *Node) int64 {
	if !f.scalar(name, n, Number, String) {
		return 0
	}
	d, ok := parseDuration(n)
	if !ok {
		f.fail(codeSpec, n.Span, "write milliseconds as a number, 120000, or a length with its unit, \"2m\" or \"1h30m\"; the units are us, ms, s, m, h, d and w", "'%s' is not a length of time", n.Text)
	}
	return d
}

// list reads a list of texts, each of which stands there once.
func (f *fields) list(names ...string) []Word {
	n := f.take(names...)
	if n == nil {
		return nil
	}
	if n.Kind != List {
		f.fail(codeSpec, n.Span, "write ["+n.Text+"]", "'%s' is a list, and this is %s", names[0], n.Kind)
		return nil
	}
	var all []Word
	for _, item := range n.Items {
		if item.Kind != String {
			f.fail(codeSpec, item.Span, "", "'%s' lists names, and this is %s", names[0], item.Kind)
			return nil
		}
		if has(all, item.Text) {
			f.fail(codeSpec, item.Span, "name it once", "'%s' names '%s' twice", names[0], item.Text)
		}
		all = append(all, item.Word())
	}
	return all
}

// each takes a member whose own members are things with names.
func (f *fields) each(what string, do func(name Word, n *Node), names ...string) {
	n := f.take(names...)
	if n == nil {
		return
	}
	if n.Kind != Map {
		f.fail(codeSpec, n.Span, "write a name and a ':' before each "+what, "'%s' is a map of names, and this is %s", names[0], n.Kind)
		return
	}
	for _, e := range n.Entries {
		if f.err != nil {
			return
		}
		do(e.Key, e.Value)
	}
}

// choice reads one of several words.
func (f *fields) choice(name string, words ...string) (int, bool) {
	n := f.take(name)
	if !f.scalar(name, n, String) {
		return 0, false
	}
	if at := slices.Index(words, n.Text); at >= 0 {
		return at, true
	}
	hint := ""
	if near := source.Nearest(n.Text, words); near != "" {
		hint = "did you mean '" + near + "'?"
	}
	if f.err == nil {
		f.err = &source.Error{Code: codeSpec, Span: n.Span, Message: fmt.Sprintf("'%s' is '%s'", name, n.Text), Expected: words, Hint: hint, Text: f.text}
	}
	return 0, false
}

var nameOf = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)

// named wants the name of a timer, source or sink to be one.
func (r *reader) named(what string, name Word) {
	if !nameOf.MatchString(name.Text) {
		r.fail(codeSpec, name.At, "use letters, digits, _ and -", "'%s' is no name of a %s", name.Text, what)
	}
}
