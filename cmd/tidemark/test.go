package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/script"
)

// testFlags are the flags of test that are not options of the rig.
type testFlags struct {
	list   bool
	filter string
	junit  string
}

func testVerb(f *flags) action {
	o := script.Options{Connectors: connectors}
	var own testFlags
	f.BoolVar(&o.Update, "update", false, "rewrite the outputs in the files to what came out")
	f.BoolVar(&o.Variations, "variants", false, "also run each script in small batches, with several workers, with state on disk, with restarts, and killed behind every row")
	f.BoolVar(&own.list, "list", false, "list the scripts with the first line of each, and run none")
	f.StringVar(&own.filter, "filter", "", "take only scripts whose path matches this regular `expression`")
	f.StringVar(&own.junit, "junit", "", "also write the results to this `file`, as JUnit XML")
	return func(_ context.Context, paths []string, stdout, _ io.Writer) error {
		return test(paths, o, own, stdout)
	}
}

func test(paths []string, o script.Options, own testFlags, stdout io.Writer) (err error) {
	if len(paths) == 0 {
		return usageErrorf("name a script or a folder of scripts")
	}
	if o.Update && o.Variations {
		return usageErrorf("--update takes the outputs of the script as written; run --variants afterwards")
	}
	if own.filter != "" {
		if o.Only, err = regexp.Compile(own.filter); err != nil {
			return usageErrorf("--filter takes a regular expression: %s", err)
		}
	}
	if own.list {
		return list(paths, o.Only, own.junit, stdout)
	}
	r, err := script.Run(paths, o)
	if err != nil {
		return usageErrorf("%s", err)
	}
	if err := r.Write(stdout); err != nil {
		return fault.Errorf(fault.OfIO(err), "write output: %w", err)
	}
	if own.junit != "" {
		if err := writeJUnit(own.junit, r); err != nil {
			return fault.Errorf(fault.OfIO(err), "write the JUnit report: %w", err)
		}
	}
	if !r.Passed() {
		return errFailed
	}
	return nil
}

func list(paths []string, only *regexp.Regexp, junit string, stdout io.Writer) error {
	if junit != "" {
		return usageErrorf("--list runs nothing, so there is nothing for --junit to write")
	}
	listed, err := script.List(paths, only)
	if err != nil {
		return usageErrorf("%s", err)
	}
	for _, s := range listed {
		line := s.Path
		if s.About != "" {
			line += ": " + s.About
		}
		if _, err := fmt.Fprintln(stdout, line); err != nil {
			return fault.Errorf(fault.OfIO(err), "write output: %w", err)
		}
	}
	return nil
}

func writeJUnit(path string, r script.Report) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := r.WriteJUnit(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
