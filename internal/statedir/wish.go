package statedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Wish is what somebody asks of the process that has a folder of states open. It is a file in that folder, which the process looks for: unlike a signal it reaches a process in another
// container, and nobody else.
type Wish string

// The wishes.
const (
	// WishCheckpoint is one to be taken now. The process removes the file when it is durable, or leaves an answer in its place.
	WishCheckpoint Wish = "checkpoint"
	// WishStop takes a last checkpoint and ends the process; WishDrain ends the inputs, and the process once the statement has come to its end.
	WishStop  Wish = "stop"
	WishDrain Wish = "drain"
)

const (
	wishFile = "wish"
	denied   = "failed: "
)

// Ask leaves a wish in a folder of states.
func Ask(dir string, w Wish) error { return leave(dir, string(w)) }

// Deny says why a wish cannot be met.
func Deny(dir string, why error) error { return leave(dir, denied+why.Error()) }

// leave writes the file at one stroke, so that nobody reads half of it.
func leave(dir, what string) error {
	path := filepath.Join(dir, wishFile)
	err := os.WriteFile(path+".unfinished", []byte(what), 0o644)
	if err == nil {
		err = os.Rename(path+".unfinished", path)
	}
	return wishFault(err)
}

// Wished reads what is wished for, "" if nothing is. If a wish was denied the error says why.
func Wished(dir string) (Wish, error) {
	b, err := os.ReadFile(filepath.Join(dir, wishFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", wishFault(err)
	}
	if why, ok := strings.CutPrefix(string(b), denied); ok {
		return "", fault.Errorf(fault.External, "no checkpoint could be taken: %s", why)
	}
	return Wish(b), nil
}

// Withdraw removes a wish or what became of it.
func Withdraw(dir string) error {
	err := os.Remove(filepath.Join(dir, wishFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return wishFault(err)
}

func wishFault(err error) error {
	if err == nil {
		return nil
	}
	return fault.Errorf(fault.OfIO(err), "ask for a checkpoint: %w", err)
}
