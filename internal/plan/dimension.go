package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// listed separates the parts of an option that is a list.
const listed = ";"

// DividingColumn is a column that divides the rows of a scan for its watermark, by its name, and the option that names it.
type DividingColumn struct{ Name, Option string }

// dimension is the values that have a watermark each. A producer is one more column of it.
func (r *resolver) dimension() (*watermark.Dimension, []DividingColumn, error) {
	var by []DividingColumn
	for _, key := range []string{OptionDimension, OptionProducer} {
		text, origin, ok := r.option(key)
		if !ok {
			continue
		}
		for _, name := range parts(text) {
			if slices.ContainsFunc(by, func(c DividingColumn) bool { return c.Name == name }) {
				return nil, by, &connector.OptionError{Key: key, Message: fmt.Sprintf("column '%s' divides the rows already", name), Hint: "name it once, in '" + OptionDimension + "' or in '" + OptionProducer + "'"}
			}
			by = append(by, DividingColumn{name, key})
		}
		switch n := len(parts(text)); {
		case n == 0:
			return nil, by, &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s' is blank", key), Hint: "name a column of the table, or leave it out"}
		case n > 1 && key == OptionProducer:
			return nil, by, &connector.OptionError{Key: key, Message: fmt.Sprintf("'%s' is one column", key), Hint: "name the others in '" + OptionDimension + "', or make one of them: producer AS a || '/' || b"}
		}
		r.note(strings.TrimPrefix(key, "watermark."), strings.Join(parts(text), ", "), origin)
	}
	if by == nil {
		for _, key := range []string{OptionDimensionValues, OptionDimensionTimeout} {
			if _, _, ok := r.option(key); ok {
				return nil, by, &connector.OptionError{Key: key, Message: fmt.Sprintf("'%s' counts only with a dimension", key), Hint: fmt.Sprintf("add '%s' = 'column', or leave it out", OptionDimension)}
			}
		}
		return nil, by, nil
	}
	d := &watermark.Dimension{}
	if text, origin, ok := r.option(OptionDimensionValues); ok {
		if len(by) > 1 {
			return nil, by, &connector.OptionError{Key: OptionDimensionValues, Message: "values can be named of one column, not of several together",
				Hint: "make one of them, such as both AS " + by[0].Name + " || '/' || " + by[1].Name + ", and name that"}
		}
		for _, value := range parts(text) {
			if name := ValueName([]*string{&value}); !slices.Contains(d.Expected, name) {
				d.Expected = append(d.Expected, name)
			}
		}
		if d.Expected == nil {
			return nil, by, &connector.OptionError{Key: OptionDimensionValues, Message: fmt.Sprintf("option '%s' is blank", OptionDimensionValues), Hint: "name values, such as 'click" + listed + " view', or leave it out"}
		}
		r.note("dimension values", strings.Join(d.Expected, ", "), origin)
	}
	return d, by, r.dimensionTimeouts(d, len(by))
}

// dimensionTimeouts reads '10 s; refund = 1 h'.
func (r *resolver) dimensionTimeouts(d *watermark.Dimension, columns int) error {
	text, origin, ok := r.option(OptionDimensionTimeout)
	if !ok {
		r.note("dimension timeout", "0", "default")
		return nil
	}
	var shown []string
	general := false
	for _, part := range parts(text) {
		length, value := part, ""
		at := strings.LastIndex(part, "=")
		if at >= 0 {
			value, length = strings.TrimSpace(part[:at]), strings.TrimSpace(part[at+1:])
		}
		timeout, err := r.duration(OptionDimensionTimeout, length)
		if err != nil {
			return err
		}
		name := ValueName([]*string{&value})
		_, twice := d.Timeouts[name]
		switch {
		case at < 0 && general || at >= 0 && twice:
			return &connector.OptionError{Key: OptionDimensionTimeout, Message: fmt.Sprintf("option '%s' says it twice: '%s'", OptionDimensionTimeout, part), Hint: "leave one of them out"}
		case at < 0:
			general, d.Timeout = true, timeout
			shown = append([]string{timefmt.Length(timeout)}, shown...)
		case columns > 1:
			return &connector.OptionError{Key: OptionDimensionTimeout, Message: "a timeout can be given to a value of one column, not of several together", Hint: "write one length of time for all"}
		default:
			if d.Timeouts == nil {
				d.Timeouts = map[string]int64{}
			}
			d.Timeouts[name] = timeout
			shown = append(shown, name+" "+timefmt.Length(timeout))
		}
	}
	if shown == nil {
		return &connector.OptionError{Key: OptionDimensionTimeout, Message: fmt.Sprintf("option '%s' is blank", OptionDimensionTimeout), Hint: "write a length of time, such as '10 min', or leave it out"}
	}
	r.note("dimension timeout", strings.Join(shown, ", "), origin)
	return nil
}

// lastRows is how many rows hold a candidate down, 0 for none.
func (r *resolver) lastRows() (int64, error) {
	text, origin, ok := r.option(OptionLastRows)
	if !ok {
		return 0, nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 1 || n > watermark.MaxLastRows {
		return 0, &connector.OptionError{Key: OptionLastRows, Message: fmt.Sprintf("option '%s' is '%s'", OptionLastRows, text),
			Hint: fmt.Sprintf("it must be a whole number of rows, from 1 to %d", watermark.MaxLastRows)}
	}
	r.note("last rows", strconv.FormatInt(n, 10), origin)
	return n, nil
}

// parts are those of a list, without blanks around them.
func parts(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, listed) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// ValueName is the name of a value of a dimension, from the texts of its columns, nil for NULL. Different values have different names.
func ValueName(texts []*string) string {
	var b strings.Builder
	for i, text := range texts {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case text == nil:
			b.WriteString("NULL")
		case *text == "" || *text == "NULL" || strings.ContainsAny(*text, "',") || strings.TrimSpace(*text) != *text:
			b.WriteString("'" + strings.ReplaceAll(*text, "'", "''") + "'")
		default:
			b.WriteString(*text)
		}
	}
	return b.String()
}
