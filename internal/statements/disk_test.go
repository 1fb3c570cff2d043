//go:build unix

package statements

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
)

// Who looks at statements does not wait for a disk that takes its time with a record. Here it is a pipe, which nobody empties.
func TestReadersDoNotWaitForTheDisk(t *testing.T) {
	dir := t.TempDir()
	h, err := Open(Options{Dir: dir, Connectors: builtin.Connectors, Tell: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"slow", "other"} {
		if _, err := h.Create(name, Spec{SQL: "SELECT 1", Stopped: true}); err != nil {
			t.Fatal(err)
		}
	}
	pipe := filepath.Join(dir, statementsFolder, "slow"+recordSuffix+".new")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	changed := make(chan error)
	go func() {
		_, err := h.Change("slow", func(x *Statement) error { x.Spec.Stopped = false; return nil })
		changed <- err
	}()
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		for x, err := h.Get("slow"); x.Phase != Pending; x, err = h.Get("slow") {
			if err != nil {
				t.Error(err)
				return
			}
		}
		if n := len(h.List()); n != 2 {
			t.Errorf("%d statements are listed", n)
		}
		h.Looks()
		for what, look := range map[string]func(string) error{
			"seen":       func(name string) error { _, err := h.Seen(name); return err },
			"results":    func(name string) error { _, err := h.Results(name, 0, 1, 1); return err },
			"exceptions": func(name string) error { _, err := h.Exceptions(name); return err },
			"log":        func(name string) error { _, err := h.Log(name); return err },
			"taking":     func(string) error { return h.Taking() },
			"draft":      func(string) error { _, err := h.Check(Spec{SQL: "SELECT 1"}); return err },
		} {
			for _, name := range []string{"slow", "other"} {
				if err := look(name); err != nil {
					t.Errorf("%s of %s: %v", what, name, err)
				}
			}
		}
	}()
	select {
	case <-looked:
	case <-time.After(30 * time.Second):
		t.Error("who looks waits for the disk")
	}
	select {
	case err := <-changed:
		t.Errorf("the change is told before it is on the disk: %v", err)
	default:
	}
	reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	<-looked
	<-changed // a pipe has nothing to be synced, which is an error of the disk, after which it is gone
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// full has what is written beside a file, to take its place, find a disk without room.
func full(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	if err := os.Symlink("/dev/full", path+".new"); err != nil {
		t.Fatal(err)
	}
}

// A server starts on a full disk: its journal is read, gone on with as it is, and rewritten another time. What a kill has torn off is not gone on behind.
func TestAServerStartsOnAFullDisk(t *testing.T) {
	serve(t, func(s *testServer) {
		s.done("make", endless)
		s.run("read", "CREATE TABLE gone WITH ('connector' = 'blackhole') AS SELECT n FROM ticks")
		s.close()
		journal := filepath.Join(s.dir, "server", journalFile)
		file, err := os.OpenFile(journal, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(`{"number":99,"sta`); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		full(t, journal)
		s.log = nil
		s.open()
		if log := strings.Join(s.log, "\n"); !strings.Contains(log, "write the journal of statements: ") || !strings.Contains(log, needsRoom) {
			t.Errorf("the log is %q", log)
		}
		if _, err := os.Lstat(journal + ".new"); err == nil {
			t.Error("half a journal takes room")
		}
		s.phase("read", Running)
		s.done("more", strings.ReplaceAll(endless, "ticks", "tocks"))
		for range 2 { // as it was gone on with, and as it is rewritten
			s.close()
			s.open()
			s.phase("read", Running)
			s.done("again", "DROP TABLE tocks")
			s.done("back", strings.ReplaceAll(endless, "ticks", "tocks"))
			for _, name := range []string{"again", "back"} {
				if err := s.hub.Delete(name); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// Without a journal that can be read there is nothing to go on with, and the error says what to do.
func TestAServerThatCannotBeginWithoutRoom(t *testing.T) {
	dir := t.TempDir()
	full(t, filepath.Join(dir, journalFile))
	_, err := Open(Options{Dir: dir, Connectors: builtin.Connectors, Tell: func(line string) { t.Log(line) }})
	if err == nil || !strings.Contains(err.Error(), needsRoom) {
		t.Errorf("the error is %v", err)
	}
}

// A declaration that is in the journal is carried out, also if there is no room to write down that it was: that is written later.
func TestADeclarationWhoseRecordCannotBeWritten(t *testing.T) {
	serve(t, func(s *testServer) {
		record := filepath.Join(s.dir, "server", statementsFolder, "make"+recordSuffix)
		if _, err := s.hub.Create("make", Spec{SQL: endless, Stopped: true}); err != nil {
			t.Fatal(err)
		}
		full(t, record)
		if err := s.hub.lives["make"].prepare(context.Background()); err != nil {
			t.Errorf("the table is there, and its statement has failed: %v", err)
		}
		s.run("read", "SELECT n FROM ticks")
		s.phase("read", Running)
		if err := s.hub.Taking(); err == nil {
			t.Error("nobody is told that the record is not there")
		}
		s.pass(2 * time.Minute)
		if err := s.hub.Taking(); err != nil {
			t.Error(err)
		}
	})
}
