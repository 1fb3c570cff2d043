package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statedir"
)

// state is one call of tidemark state.
type state struct {
	json    bool
	to      string
	drain   bool
	timeout config.Span
	stdout  io.Writer
}

// stateDeeds are what tidemark state does, by the word behind it.
var stateDeeds = []struct {
	name string
	do   func(s *state, ctx context.Context, dir string) error
}{
	{"show", (*state).show},
	{"save", (*state).save},
	{"stop", (*state).stop},
}

func stateVerb(f *flags) action {
	s := &state{}
	f.BoolVar(&s.json, "json", false, "show: write one JSON value, for programs")
	f.StringVar(&s.to, "to", "", "save, stop: new `folder` for the savepoint")
	f.BoolVar(&s.drain, "drain", false, "stop: end the inputs, so that windows that are open are answered and the statement comes to its end")
	s.timeout = config.Span(time.Minute)
	f.Var(&s.timeout, "timeout", "save, stop: longest `time` to wait for the process that runs the statement")
	return func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		s.stdout = stdout
		if len(args) == 2 {
			for _, d := range stateDeeds {
				if d.name == args[0] {
					return d.do(s, ctx, args[1])
				}
			}
		}
		return usageErrorf("write: tidemark state show, save or stop FOLDER, with a folder that was given to --state-dir, or a savepoint")
	}
}

// show tells what is in a folder of states.
func (s *state) show(_ context.Context, dir string) error {
	if s.to != "" || s.drain {
		return usageErrorf("--to and --drain are for tidemark state save and stop")
	}
	statements, err := statedir.Find(dir)
	if err != nil {
		return err
	}
	var views []*statedir.View
	for _, x := range statements {
		v, err := x.Look()
		if err != nil {
			return err
		}
		views = append(views, v)
	}
	write := statedir.WriteText
	if s.json {
		write = statedir.WriteJSON
	}
	return writeFault(write(s.stdout, views, time.Now().UnixMicro()))
}

// save makes a savepoint, of a checkpoint that is taken for it if the statement runs.
func (s *state) save(ctx context.Context, dir string) error {
	if s.to == "" || s.drain {
		return usageErrorf("write: tidemark state save FOLDER --to SAVEPOINT, with a folder that is not there yet")
	}
	if err := s.root(dir); err != nil {
		return err
	}
	claim, err := claimState(dir)
	if err != nil {
		return err
	}
	if claim != nil {
		defer claim.Release()
	} else if err := s.ask(ctx, dir, statedir.WishCheckpoint); err != nil {
		return err
	}
	return s.copy(dir)
}

// stop ends the process that runs from a folder of states.
func (s *state) stop(ctx context.Context, dir string) error {
	if s.drain && s.to != "" {
		return usageErrorf("--drain brings the statement to its end, and nothing is left that could go on from a savepoint; leave out --drain or --to")
	}
	if err := s.root(dir); err != nil {
		return err
	}
	claim, err := claimState(dir)
	if err == nil && claim == nil {
		wish := statedir.WishStop
		if s.drain {
			wish = statedir.WishDrain
		}
		claim, err = s.end(ctx, dir, wish)
	} else if err == nil && s.to == "" {
		err = usageErrorf("no process runs statements from '%s'", dir)
	}
	if claim != nil {
		defer claim.Release()
	}
	if err != nil || s.to == "" {
		return err
	}
	return s.copy(dir)
}

// root wants dir to be a folder of states, not of one statement of it.
func (s *state) root(dir string) error {
	if s.json {
		return usageErrorf("--json is for tidemark state show")
	}
	statements, err := statedir.Find(dir)
	if err != nil {
		return err
	}
	if root := statements[0].Root(); !statedir.Same(root, dir) {
		return usageErrorf("'%s' is of one statement; name the folder that was given to --state-dir", dir)
	}
	return nil
}

func (s *state) copy(dir string) error {
	all, err := statedir.Save(dir, s.to)
	if err != nil {
		return err
	}
	for _, x := range all {
		if _, err := fmt.Fprintln(s.stdout, source.Visible(fmt.Sprintf("%s: checkpoint %d saved in %s", x.Name, x.ID, s.to))); err != nil {
			return writeFault(err)
		}
	}
	return nil
}
