package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
)

// version is that of the next release while one is being made.
const version = "0.1.0-dev"

func versionVerb(_ context.Context, args []string, stdout, stderr io.Writer) error {
	if _, err := parse(newFlags("version", "", stderr), args); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "tidemark %s", version)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				fmt.Fprintf(stdout, " (%s)", s.Value[:12])
			}
		}
		fmt.Fprintf(stdout, ", %s", info.GoVersion)
	}
	fmt.Fprintln(stdout)
	return nil
}
