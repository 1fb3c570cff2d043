package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/tidemark-sql/tidemark/internal/client"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const (
	localServer = "http://127.0.0.1:8810"
	serverEnv   = "TIDEMARK_SERVER"
	keyEnv      = "TIDEMARK_KEY"
	keyUsage    = "`name:secret` of an API key; without it that in " + keyEnv + ", which other users of the machine do not see"
)

// asking are the flags of verbs that ask a server.
type asking struct{ server, key string }

func (a *asking) flags(f *flags) {
	f.StringVar(&a.server, "server", "", "`address` of the server; without it that in "+serverEnv+", or "+localServer)
	f.StringVar(&a.key, "key", "", keyUsage)
}

func (a *asking) client() *client.Client {
	return &client.Client{URL: cmp.Or(a.server, os.Getenv(serverEnv), localServer), Key: cmp.Or(a.key, os.Getenv(keyEnv)), Organization: "local", Environment: "local"}
}

func doctorVerb(f *flags) action {
	var a asking
	a.flags(f)
	return func(ctx context.Context, args []string, stdout, _ io.Writer) error {
		c := a.client()
		if len(args) > 0 {
			for _, name := range args {
				if err := diagnose(ctx, c, name, stdout); err != nil {
					return err
				}
			}
			return nil
		}
		all, err := c.List(ctx)
		if err != nil {
			return err
		}
		running := 0
		for _, s := range all {
			if !api.Runs(s.Status.Phase) {
				continue
			}
			running++
			if err := diagnose(ctx, c, s.Name, stdout); err != nil {
				return err
			}
		}
		if running == 0 {
			_, err = fmt.Fprintln(stdout, "no statement runs")
		}
		return err
	}
}

// diagnose writes what a statement waits for.
func diagnose(ctx context.Context, c *client.Client, name string, stdout io.Writer) error {
	s, err := c.Get(ctx, name)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s\n", s.Name, s.Status.Phase)
	if s.Status.Detail != "" {
		fmt.Fprintf(stdout, "%s\n", source.VisibleLines(s.Status.Detail))
	}
	w, err := c.Why(ctx, name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, source.VisibleLines(w.Text))
	return err
}
