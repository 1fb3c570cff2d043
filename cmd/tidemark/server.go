package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/server"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// serving is one call of tidemark server.
type serving struct {
	listen      string
	dir         string
	where       brokers
	files       several
	hosts       several
	keys        string
	certificate string
	private     string
	insecure    bool
	unset       bool
	newKey      string
	parallelism int
	most        int
	memory      stateMemory
	otlp        telemetry

	mu     sync.Mutex // guards stderr
	stderr io.Writer
}

// several is a flag that may be given several times.
type several []string

// String implements flag.Value.
func (l *several) String() string { return strings.Join(*l, ",") }

// Set implements flag.Value.
func (l *several) Set(value string) error { *l = append(*l, value); return nil }

func serverVerb(f *flags) action {
	s := &serving{}
	f.StringVar(&s.listen, "listen", "127.0.0.1:8810", "`host:port` of the API")
	f.StringVar(&s.dir, "data-dir", "", "`folder` that keeps statements, their state and the topics of the broker of this process")
	s.where.places(f)
	f.Var(&s.files, "files", "`folder` in which statements may read and write files; may be given several times; without it they may in none")
	f.IntVar(&s.parallelism, "parallelism", 0, "`number` of workers and tasks of a statement that does not say; 0 is one per processor")
	f.IntVar(&s.most, "max-parallelism", 0, "`number` of workers and tasks that a statement gets at most; 0 is any")
	s.memory.flags(f)
	f.StringVar(&s.keys, "keys", "", "`file` of API keys; without it everybody may ask who reaches the server")
	f.StringVar(&s.newKey, "new-key", "", "print a new API key of that `name` and the line for the file of keys, and end")
	f.StringVar(&s.certificate, "tls-certificate", "", "`file` with the certificate of the server, in PEM")
	f.StringVar(&s.private, "tls-key", "", "`file` with its private key, in PEM")
	f.Var(&s.hosts, "host", "`name` or address under which the server is reached, beside those of loopback; may be given several times")
	f.BoolVar(&s.unset, "unset-watermarks", false, "have watermarks that are not set in the metrics, as -9223372036854775808; without it they are absent")
	f.StringVar(&s.otlp.endpoint, "otlp-endpoint", "", "`address` of an OpenTelemetry receiver, as http://localhost:4318: metrics are posted to /v1/metrics there; without it as OTEL_EXPORTER_OTLP_ENDPOINT says, or nowhere")
	f.Var(&s.otlp.headers, "otlp-header", "`name=value` of a header for that; may be given several times")
	f.Var(&s.otlp.interval, "otlp-interval", "`time` from one sending of metrics to the next; without it as OTEL_METRIC_EXPORT_INTERVAL says, or 60s")
	f.BoolVar(&s.otlp.cumulative, "otlp-cumulative", false, "send counters as what they have come to; without it as what was added since the last time")
	f.BoolVar(&s.insecure, "insecure", false, "listen on an address that is not loopback without keys or without TLS")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) > 0 {
			return usageErrorf("tidemark server takes no arguments")
		}
		s.stderr = stderr
		if s.newKey != "" {
			return printKey(s.newKey, stdout)
		}
		return s.run(ctx, stdout)
	}
}

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
	if s.dir == "" {
		return usageErrorf("name a folder with --data-dir: statements, their state and their tables are kept in it")
	}
	keys, err := s.admission()
	if err != nil {
		return err
	}
	telemetry, err := s.otlp.options(os.Getenv)
	if err != nil {
		return err
	}
	listener, err := s.open()
	if err != nil {
		return err
	}
	defer listener.Close()
	if s.where.named == "" {
		s.where.dir = filepath.Join(s.dir, "broker")
	}
	if err := s.where.open(s, s); err != nil {
		return err
	}
	defer s.where.close()
	address, err := s.where.Address()
	if err != nil {
		return err
	}
	hub, err := statements.Open(statements.Options{Dir: s.dir, Connectors: s.connectors(), Parallelism: s.parallelism, MaxParallelism: s.most, Memory: s.memory.limit(), Tell: s.tell})
	if err != nil {
		return err
	}
	scheme := "http"
	if s.certificate != "" {
		scheme = "https"
	}
	fmt.Fprintf(stdout, "tidemark server at %s://%s, broker at %s\n", scheme, listener.Addr(), address)
	stop := s.export(telemetry, hub)
	err = s.serve(ctx, listener, server.New(server.Options{Hub: hub, Keys: keys, Hosts: s.known(), UnsetWatermarks: s.unset}))
	stop()
	return errors.Join(err, hub.Close())
}

// admission reads the keys, and refuses to be reached from elsewhere without keys and TLS.
func (s *serving) admission() (*server.Keys, error) {
	if (s.certificate == "") != (s.private == "") {
		return nil, usageErrorf("--tls-certificate and --tls-key go together")
	}
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return nil, usageErrorf("--listen is '%s'; write host:port", s.listen)
	}
	ip := net.ParseIP(host)
	away := host != "localhost" && (ip == nil || !ip.IsLoopback())
	if away && !s.insecure && (s.keys == "" || s.certificate == "") {
		return nil, usageErrorf("'%s' can be reached from other machines, for which --keys and --tls-certificate are needed; with --insecure it is done without", s.listen)
	}
	if s.keys == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.keys)
	if err != nil {
		return nil, usageErrorf("--keys: %s", err)
	}
	keys, err := server.ReadKeys(string(text))
	if err != nil {
		return nil, usageErrorf("--keys: %s: %s", s.keys, err)
	}
	return keys, nil
}

// known are the names under which the server is reached.
func (s *serving) known() []string {
	host, _, _ := net.SplitHostPort(s.listen)
	return append(slices.Clone(s.hosts), host)
}

func (s *serving) open() (net.Listener, error) {
	l, err := net.Listen("tcp", s.listen)
	if err != nil {
		return nil, fault.Errorf(fault.External, "listen: %w; choose another address with --listen", err)
	}
	if s.certificate == "" {
		return l, nil
	}
	pair, err := tls.LoadX509KeyPair(s.certificate, s.private)
	if err != nil {
		l.Close()
		return nil, usageErrorf("--tls-certificate, --tls-key: %s", err)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), nil
}

// farewell is how long requests that are being answered have when the server ends.
const farewell = 5 * time.Second

// serve answers requests until ctx ends.
func (s *serving) serve(ctx context.Context, l net.Listener, h http.Handler) error {
	web := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(l) }()
	select {
	case err := <-ended:
		return fault.Errorf(fault.External, "answer requests: %w", err)
	case <-ctx.Done():
	}
	s.tell("ending: statements take their last checkpoints")
	waiting, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if web.Shutdown(waiting) != nil {
		web.Close()
	}
	return nil
}

// connectors are those that make sense for a server: its standard input and output are nobody's, and files are where they may be.
func (s *serving) connectors() []connector.Connector {
	all := slices.DeleteFunc(s.where.connectors(), func(c connector.Connector) bool { return c.Name == "stdin" || c.Name == "stdout" })
	for i := range all {
		if all[i].Name == "filesystem" {
			all[i] = filesystem.Confined(all[i], s.files)
		}
	}
	return all
}
