package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// served is a server that runs in this process.
type served struct {
	url  string
	end  context.CancelFunc
	code chan int
	out  *firstLine
	errs *syncBuffer
}

// firstLine tells when there is one.
type firstLine struct {
	mu   sync.Mutex
	text bytes.Buffer
	once sync.Once
	come chan struct{}
}

func (w *firstLine) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.text.Write(p)
	if bytes.Contains(w.text.Bytes(), []byte("\n")) {
		w.once.Do(func() { close(w.come) })
	}
	return n, err
}

func (w *firstLine) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// syncBuffer is a buffer that several goroutines use.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

var serverAt = regexp.MustCompile(`tidemark server at (https?://\S+), broker at (\S+)`)

// startServer starts tidemark server on a free port.
func startServer(t *testing.T, args ...string) *served {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	s := &served{end: end, code: make(chan int, 1), out: &firstLine{come: make(chan struct{})}, errs: &syncBuffer{}}
	go func() {
		s.code <- dispatch(ctx, append([]string{"server", "--listen", "127.0.0.1:0"}, args...), s.out, s.errs)
	}()
	select {
	case <-s.out.come:
	case code := <-s.code:
		end()
		t.Fatalf("the server ends with %d: %s", code, s.errs)
	}
	at := serverAt.FindStringSubmatch(s.out.String())
	if at == nil {
		t.Fatalf("the server says %q", s.out)
	}
	s.url = at[1]
	return s
}

// stop ends the server in order.
func (s *served) stop(t *testing.T) {
	t.Helper()
	s.end()
	if code := <-s.code; code != exitOK {
		t.Errorf("the server ends with %d: %s", code, s.errs)
	}
}

// keyFile makes a file with a key.
func keyFile(t *testing.T) (file, name, secret string) {
	t.Helper()
	code, out, errs := run("server", "--new-key", "ann")
	lines := strings.Split(out, "\n")
	if code != exitOK || len(lines) < 4 {
		t.Fatalf("--new-key ends with %d: %s%s", code, out, errs)
	}
	file = filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte(lines[3]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, "ann", strings.TrimPrefix(lines[1], "secret: ")
}

// TestClientConfluentSQL has the Python package confluent-sql, which is made for Confluent Cloud, talk to a server.
func TestClientConfluentSQL(t *testing.T) {
	python := os.Getenv("TIDEMARK_CONFLUENT_SQL")
	if python == "" {
		t.Skip("there is no package confluent-sql; .ci/clients brings it")
	}
	file, name, secret := keyFile(t)
	s := startServer(t, "--data-dir", t.TempDir(), "--keys", file)
	defer s.stop(t)
	out, err := exec.Command(python, "testdata/clients/dbapi.py", s.url, name, secret).CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "done\n") {
		t.Errorf("%v\n%s\n%s", err, out, s.errs)
	}
	if out, err := exec.Command(python, "testdata/clients/dbapi.py", s.url, name, "wrong").CombinedOutput(); err == nil || !strings.Contains(string(out), "401") {
		t.Errorf("with a wrong secret: %v\n%s", err, out)
	}
}

func TestServerFlags(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "--data-dir"},
		{[]string{"--data-dir", dir, "x"}, "no arguments"},
		{[]string{"--data-dir", dir, "--listen", "0.0.0.0:0"}, "--keys and --tls-certificate are needed"},
		{[]string{"--data-dir", dir, "--listen", ":0"}, "--keys and --tls-certificate are needed"},
		{[]string{"--data-dir", dir, "--listen", "nonsense"}, "host:port"},
		{[]string{"--data-dir", dir, "--keys", filepath.Join(dir, "none")}, "--keys"},
		{[]string{"--data-dir", dir, "--tls-key", "x"}, "go together"},
		{[]string{"--new-key", "a:b"}, "colons"},
		{[]string{"--data-dir", dir, "--otlp-endpoint", "localhost:4317"}, "http://localhost:4318"},
		{[]string{"--data-dir", dir, "--otlp-header", "secret"}, "name=value"},
		{[]string{"--data-dir", dir, "--otlp-interval", "10ms"}, "at least 1s"},
	} {
		if code, _, errs := run(append([]string{"server"}, c.args...)...); code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%q ends with %d, want %q in: %s", c.args, code, c.want, errs)
		}
	}
	s := startServer(t, "--data-dir", dir)
	defer s.stop(t)
	if code, _, errs := run("server", "--listen", "127.0.0.1:0", "--data-dir", dir); code != exitResource && code != exitUsage && code != exitExternal || !strings.Contains(errs, dir) {
		t.Errorf("a second server over the folder ends with %d: %s", code, errs)
	}
	answer, err := http.Get(s.url + "/ready")
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusOK {
		t.Errorf("/ready answers %s", answer.Status)
	}
}
