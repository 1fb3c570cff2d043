package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
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

// A statement of a server reads no file and writes none outside of --files, by whatever option, and has nothing to do with standard input and output.
func TestConnectorsOfAServer(t *testing.T) {
	s := &serving{}
	s.Files = []string{t.TempDir()}
	var names []string
	for _, c := range s.connectors() {
		names = append(names, c.Name)
		for _, spec := range c.Specs {
			if !strings.HasSuffix(spec.Key, "path") && !strings.HasSuffix(spec.Key, "location") || spec.NotYet != "" {
				continue
			}
			o := connector.Options{"connector": c.Name, "format": "json", "topic": "t", "properties.bootstrap.servers": "127.0.0.1:1", spec.Key: "/etc/passwd"}
			_, err := c.NewSource(connector.Table{}, o)
			if err == nil || !strings.Contains(err.Error(), "outside") {
				t.Errorf("%s: '%s' is a file of anybody: %v", c.Name, spec.Key, err)
			}
		}
	}
	for _, name := range []string{"stdin", "stdout"} {
		if slices.Contains(names, name) {
			t.Errorf("a server has connector '%s'", name)
		}
	}
	for _, name := range []string{"filesystem", "kafka", "upsert-kafka", "datagen", "blackhole"} {
		if !slices.Contains(names, name) {
			t.Errorf("a server has no connector '%s'", name)
		}
	}
}

// The file of keys is of no use to who reads it.
func TestTheFileOfKeysHasNoSecret(t *testing.T) {
	file, name, secret := keyFile(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(secret) < 40 || strings.Contains(string(text), secret) || !strings.HasPrefix(string(text), name+":") {
		t.Errorf("the secret is %q, the file %q", secret, text)
	}
}

// certificate makes files with a certificate for this machine.
func certificate(t *testing.T) (certificate, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"sql.example.com"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// With TLS nothing older than 1.2 is spoken and nothing without; who stands beside the server can ask for its health whatever name the certificate has.
func TestServerOverTLS(t *testing.T) {
	cert, key := certificate(t)
	keys, name, secret := keyFile(t)
	s := startServer(t, "--data-dir", t.TempDir(), "--listen", "0.0.0.0:0", "--tls-certificate", cert, "--tls-key", key, "--keys", keys)
	defer s.stop(t)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	at := "127.0.0.1:" + port
	if code, out, errs := run("health", "--server", "https://"+at); code != exitOK {
		t.Errorf("health ends with %d: %s%s", code, out, errs)
	}
	ask := func(version uint16, scheme, authorization string) (*http.Response, error) {
		c := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MaxVersion: version}}}
		q, err := http.NewRequest("GET", scheme+"://"+at+"/sql/v1/organizations/o/environments/e/statements", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", authorization)
		answer, err := c.Do(q)
		if err == nil {
			answer.Body.Close()
		}
		return answer, err
	}
	if answer, err := ask(0, "https", "Bearer "+name+":"+secret); err != nil || answer.StatusCode != 200 || answer.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("over TLS: %v, %v", answer, err)
	}
	if answer, err := ask(0, "https", ""); err != nil || answer.StatusCode != 401 {
		t.Errorf("without a key: %v, %v", answer, err)
	}
	if _, err := ask(tls.VersionTLS11, "https", ""); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	if answer, err := ask(0, "http", "Bearer "+name+":"+secret); err == nil && answer.StatusCode != 400 {
		t.Errorf("without TLS: %v", answer.Status)
	}
}
