// Command tidemark runs event-time SQL over streams, explains and tests it.
//
// A file per verb; verbs lists them. Errors are rendered in report.go and nowhere else.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // zones are there on machines without a zone database
)

// verb is one subcommand.
type verb struct {
	name  string
	args  string // what it takes, in short
	usage string // what it takes, for -h
	doc   string
	// declare adds the flags of the verb to f and returns what runs it once they are read.
	declare func(f *flags) action
}

// action runs a verb; args are what is no flag.
type action func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// flags are the flags of a verb.
func (v verb) flags(help io.Writer) (*flags, action) {
	f := newFlags(v.name, v.usage, help)
	return f, v.declare(f)
}

func verbs() []verb {
	return []verb{
		{"run", "FILE … | -e SQL", "[flags] FILE … | -e SQL", "run the statements of files, one behind the other, or those given; a file may be a pipeline", runVerb},
		{"sql", "[-f FILE | -e SQL]", "[flags]", "type statements, with completion, history and live results", sqlVerb},
		{"explain", "FILE … | -e SQL", "FILE … | -e SQL", "print the plan and the watermark strategy of each query", explainVerb},
		{"check", "[FILE…]", "[flags] [FILE…]", "find errors and likely mistakes without running anything", checkVerb},
		{"advise", "TABLE [FILE | -e SQL]", "[flags] TABLE [FILE | -e SQL]", "look at how late a table's rows come, and advise on the delay of its watermark", adviseVerb},
		{"fmt", "[FILE…]", "[flags] [FILE…]", "lay SQL out: keywords, clauses, columns", fmtVerb},
		{"test", "PATH…", "[flags] FILE|FOLDER…", "run test scripts with exact arrival times", testVerb},
		{"server", "--data-dir DIR", "--data-dir FOLDER [flags]", "run many statements, asked for over HTTP", serverVerb},
		{"statement", "list|create|… NAME", "[flags] list | create|change NAME [FILE] | describe|results|exceptions|stop|resume|delete NAME", "work with the statements of a server", statementVerb},
		{"top", "", "[flags]", "watch the statements of a server: rows, watermarks, delays, late rows", topVerb},
		{"doctor", "[NAME…]", "[flags] [NAME…]", "tell what statements of a server wait for", doctorVerb},
		{"health", "", "[flags]", "tell whether a server is ready", healthVerb},
		{"state", "show|save|stop DIR", "[flags] show|save|stop FOLDER", "look at what --state-dir keeps, save it, stop what runs from it", stateVerb},
		{"generate", "nexmark", "nexmark [flags] > FILE", "write seeded Nexmark bids, auctions or people as JSON lines", generateVerb},
		{"completion", "bash|zsh|fish", "bash|zsh|fish", "write a script that completes commands and flags", completionVerb},
		{"help", "[COMMAND | sql TOPIC]", "[--man] [COMMAND | sql [TOPIC]]", "tell about commands, statements, functions, connectors, settings", helpVerb},
		{"version", "", "", "print the version", versionVerb},
	}
}

func main() {
	ctx, interrupt := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go obey(signals, interrupt, func() { os.Exit(exitInterrupted) })
	os.Exit(dispatch(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// sameSignal is for how long another signal is the first one again: timeout of coreutils, and whatever else ends a group of processes, tells each of them twice.
const sameSignal = 500 * time.Millisecond

// obey asks for a clean end at the first signal, and takes any at the second: a blocked output may stand in the way of the first.
func obey(signals <-chan os.Signal, interrupt, quit func()) {
	<-signals
	interrupt()
	second := time.After(sameSignal)
	for waiting := true; waiting; {
		select {
		case <-signals:
		case <-second:
			waiting = false
		}
	}
	<-signals
	quit()
}

// dispatch runs the verb that args name and returns the exit code.
func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 0:
		usage(stderr)
		return exitUsage
	case args[0] == "-h" || args[0] == "--help":
		args = []string{"help"}
	case args[0] == "--version":
		args = []string{"version"}
	}
	for _, v := range verbs() {
		if v.name == args[0] {
			out := &checked{Writer: stdout}
			f, run := v.flags(stderr)
			rest, err := parse(f, args[1:])
			if err == nil {
				err = run(ctx, rest, out, stderr)
			}
			if err == nil {
				err = out.err
			}
			return report(err, stderr)
		}
	}
	return report(unknownVerb(args[0]), stderr)
}

func usage(w io.Writer) {
	fmt.Fprintf(w, "Tidemark runs event-time SQL over streams of rows that arrive out of order.\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  tidemark %-10s %-21s %s\n", v.name, v.args, v.doc)
	}
	fmt.Fprintf(w, "\ntidemark COMMAND -h tells more. %s\n", exitCodes)
}
