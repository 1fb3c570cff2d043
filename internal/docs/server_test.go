package docs

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// server is the tidemark server of a page. On the page it is at its usual address, in truth at another.
type server struct {
	process *exec.Cmd
	url     string
}

const usualServer = "http://127.0.0.1:8810"

var serverLine = regexp.MustCompile(`^tidemark server at (\S+), broker at `)

// start runs the one command of a block, with a folder of its own, and waits for the line with which it is ready.
func (s *server) start(t *testing.T, bin string, b *block) {
	t.Helper()
	command, ok := strings.CutPrefix(strings.SplitN(b.body, "\n", 2)[0], "$ tidemark server ")
	if !ok {
		t.Fatal("the block does not begin with tidemark server")
	}
	args := strings.Fields(strings.TrimSuffix(command, " &"))
	for i := range args {
		if args[i] == "--data-dir" && i+1 < len(args) {
			args[i+1] = t.TempDir()
		}
	}
	s.process = exec.Command(filepath.Join(bin, "tidemark"), append([]string{"server", "--listen", "127.0.0.1:0"}, args...)...)
	s.process.Stderr = os.Stderr
	out, err := s.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	at := serverLine.FindStringSubmatch(line)
	if at == nil {
		t.Fatalf("the server says %q, %v", line, err)
	}
	s.url = at[1]
}

// there is a command of the page as it reaches the server.
func (s *server) there(command string) string {
	if s.process == nil {
		return command
	}
	return "TIDEMARK_SERVER=" + s.url + "; export TIDEMARK_SERVER; " + strings.ReplaceAll(command, usualServer, s.url)
}

// shown is output as the page has it.
func (s *server) shown(out string) string {
	if s.process == nil {
		return out
	}
	return strings.ReplaceAll(out, s.url, usualServer)
}

func (s *server) stop() {
	if s.process != nil {
		s.process.Process.Kill()
		s.process.Wait()
		s.process = nil
	}
}
