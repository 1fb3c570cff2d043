//go:build unix

package statements

import (
	"os"
	"path/filepath"
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
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	<-looked
	<-changed // a pipe has nothing to be synced, which is an error of the disk
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
