package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/tidemark-sql/tidemark/internal/client"
	"github.com/tidemark-sql/tidemark/internal/server/api"
)

func topVerb(f *flags) action {
	var a asking
	a.flags(f)
	every := f.Duration("every", 2*time.Second, "`time` from one look to the next")
	once := f.Bool("once", false, "look once and leave; so it is where standard output is no terminal")
	return func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		if len(args) > 0 {
			return usageErrorf("tidemark top takes no arguments")
		}
		if *every < 100*time.Millisecond {
			return usageErrorf("--every is %s; it must be at least 100ms", *every)
		}
		return top(ctx, a.client(), *every, !*once && terminal(stdout), stdout)
	}
}

// top shows statements again and again, or once, as the list of the page has them.
func top(ctx context.Context, c *client.Client, every time.Duration, live bool, stdout io.Writer) error {
	for {
		all, err := c.Overview(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		text := topTable(all)
		if live {
			// From the upper left corner on, over what was there.
			text = append([]byte("\x1b[H"), bytes.ReplaceAll(append(text, "\x1b[J"...), []byte("\n"), []byte("\x1b[K\n"))...)
		}
		if _, err := stdout.Write(text); err != nil {
			return writeFault(err)
		}
		if !live {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// topTable is what there is to see of statements that run, and how many there are beside.
func topTable(all []api.OverviewLine) []byte {
	var text bytes.Buffer
	others := map[string]int{}
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "NAME\tPHASE\tBEHIND\tIN/S\tOUT/S\tINPUT DELAY\tOUTPUT DELAY\tLATE\t")
	for _, l := range all {
		if !api.Runs(l.Phase) {
			others[l.Phase]++
			continue
		}
		behind := unknown
		if l.Behind != nil {
			behind = strconv.FormatInt(*l.Behind, 10)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t\n", l.Name, l.Phase, behind, perSecond(l.In), perSecond(l.Out), delayText(l.Input), delayText(l.Output), l.Late)
	}
	w.Flush()
	for _, phase := range api.Phases {
		if n := others[phase]; n > 0 {
			fmt.Fprintf(&text, "%d %s  ", n, phase)
		}
	}
	if len(others) > 0 {
		text.WriteByte('\n')
	}
	return text.Bytes()
}

// unknown stands for what nobody knows, or not yet.
const unknown = "-"

func perSecond(c *api.Counted) string {
	if c == nil || c.PerSecond == nil {
		return unknown
	}
	return strconv.FormatFloat(*c.PerSecond, 'f', 0, 64)
}

// delayText says how far a watermark is behind the clock.
func delayText(m *api.Mark) string {
	if m == nil {
		return unknown
	}
	return m.Text
}
