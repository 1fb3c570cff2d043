package main

import (
	"context"
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/script"
)

func testVerb(_ context.Context, args []string, stdout, stderr io.Writer) error {
	f := newFlags("test", "[flags] FILE|FOLDER…", stderr)
	o := script.Options{Connectors: builtin.Connectors}
	f.BoolVar(&o.Update, "update", false, "rewrite the outputs in the files to what came out")
	f.BoolVar(&o.Variations, "variants", false, "also run each script in small batches, with several workers, and with restarts")
	paths, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return usageErrorf("name a script or a folder of scripts")
	}
	if o.Update && o.Variations {
		return usageErrorf("--update takes the outputs of the script as written; run --variants afterwards")
	}
	r, err := script.Run(paths, o)
	if err != nil {
		return usageErrorf("%s", err)
	}
	if err := r.Write(stdout); err != nil {
		return fault.Errorf(fault.OfIO(err), "write output: %w", err)
	}
	if !r.Passed() {
		return errFailed
	}
	return nil
}
