package main

import (
	"context"
	"io"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/script"
)

func testVerb(f *flags) action {
	o := script.Options{Connectors: connectors}
	f.BoolVar(&o.Update, "update", false, "rewrite the outputs in the files to what came out")
	f.BoolVar(&o.Variations, "variants", false, "also run each script in small batches, with several workers, and with restarts")
	return func(_ context.Context, paths []string, stdout, _ io.Writer) error {
		return test(paths, o, stdout)
	}
}

func test(paths []string, o script.Options, stdout io.Writer) error {
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
