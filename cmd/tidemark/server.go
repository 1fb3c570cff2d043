package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/server"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// serving is one call of tidemark server.
type serving struct {
	config.Server
	where brokers

	mu     sync.Mutex // guards stderr
	stderr io.Writer
}

func serverVerb(f *flags) action {
	s := &serving{}
	settings := flag.NewFlagSet(f.Name(), flag.ContinueOnError)
	s.Declare(settings)
	settings.VisitAll(func(x *flag.Flag) { f.Var(x.Value, x.Name, x.Usage) })
	file, newKey, show := "", "", false
	f.StringVar(&file, "config", "", "`file` of settings, a line 'name: value' for each flag; without it that in "+configEnv)
	f.BoolVar(&show, "print-config", false, "print the settings that are in force, and end")
	f.StringVar(&newKey, "new-key", "", "print a new API key of that `name` and the line for the file of keys, and end")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) > 0 {
			return usageErrorf("tidemark server takes no arguments")
		}
		s.stderr = stderr
		if newKey != "" {
			return printKey(newKey, stdout)
		}
		var given []string
		f.Visit(func(x *flag.Flag) { given = append(given, x.Name) })
		loaded, err := config.Load(settings, given, os.Environ(), cmp.Or(file, os.Getenv(configEnv)))
		if err != nil {
			return usageErrorf("%s", err)
		}
		for _, notice := range loaded.Notices {
			s.tell(notice)
		}
		if show {
			return loaded.Print(stdout)
		}
		s.where.named, s.where.listen = s.Brokers, s.BrokerListen
		return s.run(ctx, stdout)
	}
}

// configEnv names the file of settings where no flag does.
const configEnv = "TIDEMARK_CONFIG"

// printKey makes a key. Its secret is nowhere else.
func printKey(name string, stdout io.Writer) error {
	if strings.ContainsAny(name, ":\n# ") {
		return usageErrorf("the name of a key cannot have colons, spaces and # in it")
	}
	secret := rand.Text() + rand.Text()
	_, err := fmt.Fprintf(stdout, "name:   %s\nsecret: %s\nline for the file of keys:\n%s\n", name, secret, server.Hash(name, secret))
	return err
}

// tell writes a line to standard error; from any goroutine.
func (s *serving) tell(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(s.stderr, source.Visible(source.Short(line)))
}

// Write implements io.Writer, for what the broker tells.
func (s *serving) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stderr.Write(b)
}

func (s *serving) run(ctx context.Context, stdout io.Writer) error {
	if s.DataDir == "" {
		return usageErrorf("name a folder with --data-dir: statements, their state and their tables are kept in it")
	}
	keys, err := s.admission()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil { // what is in it is nobody else's to read
		return fault.Errorf(fault.OfIO(err), "make the folder of the server: %w", err)
	}
	telemetry, err := s.telemetry(os.Getenv)
	if err != nil {
		return err
	}
	listener, err := s.open()
	if err != nil {
		return err
	}
	gate := server.NewGate("statements are being read")
	web := s.answer(listener, gate)
	defer web.close()
	if s.where.named == "" {
		s.where.dir = filepath.Join(s.DataDir, "broker")
	}
	if err := s.where.open(s, s); err != nil {
		return err
	}
	defer s.where.close()
	address, err := s.where.Address()
	if err != nil {
		return err
	}
	hub, err := statements.Open(s.hub())
	if err != nil {
		return err
	}
	gate.Open(server.New(server.Options{Hub: hub, Keys: keys, Hosts: s.known(), UnsetWatermarks: s.UnsetWatermarks, Ready: s.where.ready,
		Limits: server.Limits{Rate: int(s.Rate), WrongKeys: int(s.WrongKeys), Requests: int(s.Requests)}}))
	fmt.Fprintf(stdout, "tidemark server at %s://%s, broker at %s\n", s.scheme(), listener.Addr(), address)
	stop := s.export(telemetry, hub)
	s.manager("READY=1")
	select {
	case err = <-web.ended:
		err = fault.Errorf(fault.External, "answer requests: %w", err)
	case <-ctx.Done():
	}
	s.manager("STOPPING=1")
	gate.Ending()
	stop()
	s.tell("ending: statements take their last checkpoints")
	return errors.Join(err, hub.Close())
}

// hub is what statements are run with.
func (s *serving) hub() statements.Options {
	return statements.Options{Dir: s.DataDir, Connectors: s.connectors(), Parallelism: int(s.Parallelism), MaxParallelism: int(s.MaxParallelism), Memory: memoryOf(s.StateMemory), MaxMemory: int64(s.MaxStateMemory),
		ResultBytes: int(s.Results), ResultBytesAll: int64(s.ResultsAll), Running: int(s.Running), RunningOfOwner: int(s.RunningPerKey), Statements: int(s.Statements),
		Keep: time.Duration(s.Keep).Microseconds(), HistoryBytes: int64(s.History), Tell: s.tell}
}

// admission reads the keys, and refuses to be reached from elsewhere without keys and TLS.
func (s *serving) admission() (*server.Keys, error) {
	if (s.Certificate == "") != (s.PrivateKey == "") {
		return nil, usageErrorf("--tls-certificate and --tls-key go together")
	}
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return nil, usageErrorf("--listen is '%s'; write host:port", s.Listen)
	}
	if !loopback(host) && !s.Insecure && (s.Keys == "" || s.Certificate == "") {
		return nil, usageErrorf("'%s' can be reached from other machines, for which --keys and --tls-certificate are needed; with --insecure it is done without", s.Listen)
	}
	if s.Keys == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.Keys)
	if err != nil {
		return nil, usageErrorf("--keys: %s", err)
	}
	keys, err := server.ReadKeys(string(text))
	if err != nil {
		return nil, usageErrorf("--keys: %s: %s", s.Keys, err)
	}
	return keys, nil
}

// known are the names under which the server is reached.
func (s *serving) known() []string {
	host, _, _ := net.SplitHostPort(s.Listen)
	return append(slices.Clone(s.Hosts), host)
}

// connectors are those that make sense for a server: its standard input and output are nobody's, and files are where they may be.
func (s *serving) connectors() []connector.Connector {
	all := slices.DeleteFunc(s.where.connectors(), func(c connector.Connector) bool { return c.Name == "stdin" || c.Name == "stdout" })
	for i := range all {
		if all[i].Name == "filesystem" {
			all[i] = filesystem.Confined(all[i], s.Files)
		} else {
			all[i] = kafka.Confined(all[i], func(path string) bool { return filesystem.Inside(s.Files, path) })
		}
	}
	return all
}
