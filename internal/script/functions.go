package script

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/watermark"
)

// functions are code that computations of pipelines can have in a script.
var functions = process.Makers{
	// obey does what each message says in its column 'does', words between semicolons:
	//
	//	set STREAM T [E]   sets a timer at T, which holds back E or the time of the message; all times are seconds
	//	again STREAM T     sets a timer whenever one fires, T behind that
	//	add N, clear       changes the number that is kept of the key
	//	say, tell          writes the number to the first or the second output
	//	time               writes whether the message is late, and the watermark
	//	fail, panic        does so
	//
	// A timer writes its stream, its trigger and what it held back. Outputs have columns k and says.
	"obey": func(spec *process.Spec, _ []byte) (process.Function, error) { return &obey{spec: spec}, nil },
}

type obey struct{ spec *process.Spec }

// Message implements process.Function.
func (o *obey) Message(c *process.Context, m *process.Message) error {
	cols := o.spec.Inputs[m.Input].Columns
	at := -1
	for i := range cols {
		if cols[i].Name == "does" {
			at = i
		}
	}
	for does := range strings.SplitSeq(string(m.Cols[at].Bytes(m.Row)), ";") {
		words := strings.Fields(does)
		if len(words) == 0 {
			continue
		}
		if err := o.obey(c, m, words); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(does), err)
		}
	}
	return nil
}

func (o *obey) obey(c *process.Context, m *process.Message, words []string) error {
	number, again := c.StateName("number"), c.StateName("again")
	kept, _ := strconv.ParseInt(string(c.State(number)), 10, 64)
	key := m.Cols[o.spec.Inputs[m.Input].Keys[0]].Bytes(m.Row)
	switch words[0] {
	case "set":
		r := process.Request{Stream: o.stream(words[1]), Trigger: micros(words[2]), EventTime: watermark.NoTime}
		if len(words) > 3 {
			r.EventTime = micros(words[3])
		}
		c.SetTimer(r)
	case "again":
		c.SetState(again, []byte(words[1]+" "+words[2]))
	case "add":
		n, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return err
		}
		c.SetState(number, strconv.AppendInt(nil, kept+n, 10))
	case "clear":
		c.SetState(number, nil)
		c.SetState(again, nil)
	case "say":
		say(c, 0, key, strconv.FormatInt(kept, 10))
	case "tell":
		say(c, 1, key, strconv.FormatInt(kept, 10))
	case "time":
		say(c, 0, key, fmt.Sprintf("late %t, watermark %s, of all %s", m.Late, frontier(c.Watermarks(m.Input).Event), frontier(c.Watermark().Event)))
	case "fail":
		return fmt.Errorf("so it was ordered")
	case "panic":
		panic("so it was ordered")
	default:
		return fmt.Errorf("there is no such order")
	}
	return nil
}

// Timer implements process.Function.
func (o *obey) Timer(c *process.Context, t *process.Timer) error {
	say(c, 0, t.Cols[0].Bytes(t.Row), fmt.Sprintf("%s at %s, held %s", o.spec.Timers[t.Stream].Name, seconds(t.Trigger), seconds(t.EventTime)))
	if words := strings.Fields(string(c.State(c.StateName("again")))); len(words) == 2 {
		c.SetTimer(process.Request{Stream: o.stream(words[0]), Trigger: t.Trigger + micros(words[1]), EventTime: watermark.NoTime})
	}
	return nil
}

func (o *obey) stream(name string) int {
	for i := range o.spec.Timers {
		if o.spec.Timers[i].Name == name {
			return i
		}
	}
	panic("there is no timer stream " + name)
}

func say(c *process.Context, output int, key []byte, text string) {
	d := c.Draft(output)
	d.SetBytes(0, key)
	d.SetString(1, text)
	c.Emit(output)
}

// micros is a number of seconds in microseconds.
func micros(text string) int64 {
	s, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return int64(s * 1e6)
}

func seconds(micros int64) string {
	if micros == watermark.NoTime {
		return "nothing"
	}
	return strconv.FormatFloat(float64(micros)/1e6, 'f', -1, 64)
}

func frontier(f watermark.Frontier) string {
	switch f {
	case watermark.Unset:
		return "none"
	case watermark.Final:
		return "at the end"
	}
	return seconds(int64(f))
}
