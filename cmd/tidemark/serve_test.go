package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/config"
)

// pipes is a listener whose connections are in memory, so that they live in the time of a bubble.
type pipes struct {
	conns chan net.Conn
	over  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.over:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.over) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours
}

// Clients that are slow, or that do not take what they have asked for, do not hold a connection for ever.
func TestSlowClientsAreLetGo(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
	for _, c := range []struct {
		about string
		send  func(net.Conn)
		want  time.Duration
	}{
		{"nothing", func(net.Conn) {}, 10 * time.Second},
		{"headers, letter by letter", func(c net.Conn) {
			go io.Copy(io.Discard, c)
			for _, b := range []byte(head) {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				<-time.After(time.Second)
			}
		}, 10 * time.Second},
		{"a body, letter by letter", func(c net.Conn) {
			go io.Copy(io.Discard, c)
			if _, err := io.WriteString(c, head); err != nil {
				return
			}
			for range 1000 {
				if _, err := c.Write([]byte{'x'}); err != nil {
					return
				}
				<-time.After(time.Second)
			}
		}, time.Minute},
		{"a request, and takes no answer", func(c net.Conn) { io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") }, 2 * time.Minute},
		{"a second request, much later", func(c net.Conn) {
			io.WriteString(c, "GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n")
			http.ReadResponse(bufio.NewReader(c), nil)
		}, 2 * time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &pipes{conns: make(chan net.Conn), over: make(chan struct{})}
			s := &serving{stderr: io.Discard}
			s.RequestTime = config.Span(time.Minute)
			states := make(chan time.Time, 1)
			w := s.answer(l, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				if _, err := io.ReadAll(q.Body); err != nil || q.URL.Path == "/short" {
					return
				}
				for {
					if _, err := w.Write(make([]byte, 64<<10)); err != nil {
						return
					}
				}
			}))
			w.server.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateClosed {
					states <- time.Now()
				}
			}
			begun := time.Now()
			conn := l.dial()
			sent := make(chan struct{})
			go func() { defer close(sent); c.send(conn) }()
			if took := (<-states).Sub(begun); took < c.want || took > c.want+3*time.Second {
				t.Errorf("who sends %s is let go after %s, want %s", c.about, took, c.want)
			}
			conn.Close()
			<-sent
			w.close()
			if err := <-w.ended; !errors.Is(err, http.ErrServerClosed) {
				t.Error(err)
			}
		})
	}
}

func TestLongHeadersAreRefused(t *testing.T) {
	s := startServer(t, "--data-dir", t.TempDir())
	defer s.stop(t)
	q, err := http.NewRequest("GET", s.url+"/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("X-Long", strings.Repeat("x", 100<<10))
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("headers of 100 KB get %s", answer.Status)
	}
}

// What has started the process is told when it is ready and when it ends, and who asks whether it is ready is told why it is not.
func TestReadiness(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	t.Setenv("NOTIFY_SOCKET", socket)
	told := func() string {
		b := make([]byte, 100)
		n, err := manager.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	s := startServer(t, "--data-dir", t.TempDir())
	if got := told(); got != "READY=1" {
		t.Errorf("the manager is told %q", got)
	}
	if code, out, errs := run("health", "--server", s.url); code != exitOK || out != "ready\n" {
		t.Errorf("health ends with %d: %s%s", code, out, errs)
	}
	s.stop(t)
	if got := told(); got != "STOPPING=1" {
		t.Errorf("the manager is told %q", got)
	}
	if code, _, errs := run("health", "--server", s.url); code != exitExternal || !strings.Contains(errs, "is tidemark server running there?") {
		t.Errorf("health of nothing ends with %d: %s", code, errs)
	}
	s = startServer(t, "--data-dir", t.TempDir(), "--brokers", "127.0.0.1:1,127.0.0.1:2")
	defer s.stop(t)
	if code, _, errs := run("health", "--server", s.url); code != exitExternal || !strings.Contains(errs, "no broker can be reached at 127.0.0.1:1,127.0.0.1:2") {
		t.Errorf("health without brokers ends with %d: %s", code, errs)
	}
	answer, err := http.Get(s.url + "/health")
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusOK {
		t.Errorf("without brokers the process is said to be dead: %s", answer.Status)
	}
}

// Settings come from a file, the environment and flags, and are printed with where they are from.
func TestServerSettings(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "server.yaml")
	if err := os.WriteFile(file, []byte("data-dir: "+filepath.Join(dir, "data")+"\nlisten: 127.0.0.1:0\nmax-running: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TIDEMARK_CONFIG", file)
	t.Setenv("TIDEMARK_MAX_RATE", "7")
	t.Setenv("TIDEMARK_MAX_RATES", "8")
	code, out, errs := run("server", "--print-config", "--state-memory", "1GB")
	if code != exitOK || !strings.Contains(errs, "did you mean TIDEMARK_MAX_RATE?") {
		t.Errorf("--print-config ends with %d: %s", code, errs)
	}
	for _, want := range []string{"max-running: 1 # " + file + ":3", "max-rate: 7 # TIDEMARK_MAX_RATE", "state-memory: 1GB # --state-memory", "max-requests: 256 # default"} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code, _, errs := run("server", "--config", filepath.Join(dir, "none")); code != exitUsage || !strings.Contains(errs, "none") {
		t.Errorf("a file that is not there: %d %s", code, errs)
	}
	s := startServer(t)
	defer s.stop(t)
	if info, err := os.Stat(filepath.Join(dir, "data")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the server is %v, %v", info.Mode(), err)
	}
	if code, out, errs := run("statement", "create", "--server", s.url, "a", "-e", "CREATE TABLE g (n INT) WITH ('connector' = 'datagen')", "--wait"); code != exitOK {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if code, _, errs := run("statement", "create", "--server", s.url, "b", "-e", "SELECT * FROM g", "--wait"); code != exitOK {
		t.Fatal(code, errs)
	}
	if code, _, errs := run("statement", "create", "--server", s.url, "c", "-e", "SELECT * FROM g"); code != exitUsage || !strings.Contains(errs, "--max-running") {
		t.Errorf("one more than the file says ends with %d: %s", code, errs)
	}
}

// Each limit of requests and statements is that of its setting.
func TestLimitsAreThoseOfTheSettings(t *testing.T) {
	keys, name, secret := keyFile(t)
	status := func(s *served, authorization string) int {
		t.Helper()
		q, err := http.NewRequest("GET", s.url+"/sql/v1/organizations/o/environments/e/statements", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", authorization)
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusTooManyRequests && answer.Header.Get("Retry-After") == "" {
			t.Error("nobody says when to ask again")
		}
		return answer.StatusCode
	}
	s := startServer(t, "--data-dir", t.TempDir(), "--keys", keys, "--max-wrong-keys", "2")
	for _, want := range []int{401, 401, 429} {
		if got := status(s, "Bearer "+name+":wrong"); got != want {
			t.Errorf("a wrong secret gets %d, want %d", got, want)
		}
	}
	s.stop(t)
	s = startServer(t, "--data-dir", t.TempDir(), "--keys", keys, "--max-statements", "1")
	for i, want := range []int{exitOK, exitUsage} {
		code, _, errs := run("statement", "create", "--server", s.url, "--key", name+":"+secret, string(rune('a'+i)), "-e", "SELECT 1")
		if code != want || want != exitOK && !strings.Contains(errs, "--max-statements") {
			t.Errorf("statement %d ends with %d: %s", i, code, errs)
		}
	}
	s.stop(t)
	s = startServer(t, "--data-dir", t.TempDir(), "--keys", keys, "--max-running-per-key", "1")
	for i, want := range []int{exitOK, exitOK, exitUsage} {
		sql := []string{"CREATE TABLE g (n INT) WITH ('connector' = 'datagen')", "SELECT * FROM g", "SELECT * FROM g"}[i]
		code, _, errs := run("statement", "create", "--server", s.url, "--key", name+":"+secret, string(rune('a'+i)), "-e", sql, "--wait")
		if code != want || want != exitOK && !strings.Contains(errs, "--max-running-per-key") {
			t.Errorf("statement %d ends with %d: %s", i, code, errs)
		}
	}
	s.stop(t)
	s = startServer(t, "--data-dir", t.TempDir(), "--max-rate", "1")
	got := map[int]int{}
	for range 20 {
		got[status(s, "")]++
	}
	if got[200] < 2 || got[429] == 0 {
		t.Errorf("with one request a second, 20 at once get %v", got)
	}
	s.stop(t)
}
