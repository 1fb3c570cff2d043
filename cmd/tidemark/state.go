package main

import (
	"context"
	"io"
	"time"

	"github.com/tidemark-sql/tidemark/internal/statedir"
)

func stateVerb(f *flags) action {
	var asJSON bool
	f.BoolVar(&asJSON, "json", false, "write one JSON value, for programs")
	return func(_ context.Context, args []string, stdout, _ io.Writer) error {
		if len(args) != 2 || args[0] != "show" {
			return usageErrorf("write: tidemark state show FOLDER, with the folder that was given to --state-dir")
		}
		return showState(args[1], asJSON, stdout)
	}
}

func showState(dir string, asJSON bool, stdout io.Writer) error {
	statements, err := statedir.Find(dir)
	if err != nil {
		return err
	}
	var views []*statedir.View
	for _, s := range statements {
		v, err := s.Look()
		if err != nil {
			return err
		}
		views = append(views, v)
	}
	write := statedir.WriteText
	if asJSON {
		write = statedir.WriteJSON
	}
	return writeFault(write(stdout, views, time.Now().UnixMicro()))
}
