package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
)

// version is that of the next release while one is being made.
const version = "0.1.0-dev"

func versionVerb(*flags) action { return printVersion }

func printVersion(_ context.Context, rest []string, stdout, _ io.Writer) error {
	if len(rest) > 0 {
		return usageErrorf("version takes no arguments")
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
