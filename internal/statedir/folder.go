package statedir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/secret"
)

const (
	checkpoints = "checkpoints"
	text        = "statement.sql"
)

// Statement is the folder of one statement.
type Statement struct {
	// Name is its name in the folder of states, Path where it is.
	Name, Path string
}

// Name is that of the folder of a statement that writes to tables: one that every file system takes, different for different tables.
func Name(tables []string) string {
	all := strings.Join(tables, "+")
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '+' {
			return r
		}
		return '~'
	}, all)
	if plain != all || len(plain) > 100 {
		sum := sha256.Sum256([]byte(all))
		plain = plain[:min(len(plain), 100)] + "~" + hex.EncodeToString(sum[:6])
	}
	return "insert+" + plain
}

// At is the statement of that name in the folder of states dir, whether it is there or not.
func At(dir, name string) Statement { return Statement{name, filepath.Join(dir, name)} }

// Find finds the statements in dir, by name. It may also be the folder of one statement, or that of its checkpoints. Anything else is an error for a person.
func Find(dir string) ([]Statement, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Errorf(fault.User, "there is no folder '%s'; name one that was given to --state-dir, or a savepoint", dir)
	case err != nil:
		return nil, fault.Errorf(fault.OfIO(err), "look into the state: %w", err)
	case !info.IsDir():
		return nil, fault.Errorf(fault.User, "'%s' is a file; name a folder that was given to --state-dir, or a savepoint", dir)
	}
	if filepath.Base(dir) == checkpoints && !isStatement(dir) {
		dir = filepath.Dir(dir)
	}
	if isStatement(dir) {
		path, err := filepath.Abs(dir)
		if err != nil {
			return nil, fault.Errorf(fault.OfIO(err), "look into the state: %w", err)
		}
		return []Statement{{filepath.Base(path), path}}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fault.Errorf(fault.OfIO(err), "look into the state: %w", err)
	}
	var all []Statement
	for _, e := range entries {
		if s := At(dir, e.Name()); isStatement(s.Path) {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, fault.Errorf(fault.User, "'%s' is no folder of states: no statement has checkpoints in it; name one that was given to --state-dir, or a savepoint", dir)
	}
	return all, nil
}

// Exists reports whether the statement has a folder for checkpoints.
func (s Statement) Exists() bool { return isStatement(s.Path) }

// Root is the folder of states that the statement is in.
func (s Statement) Root() string { return filepath.Dir(s.Path) }

// Same reports whether two paths are of one folder.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func isStatement(path string) bool {
	info, err := os.Stat(filepath.Join(path, checkpoints))
	return err == nil && info.IsDir()
}

// Open opens the checkpoints of a statement that is about to run, of which so many are kept; the folder is made if it is not there.
func (s Statement) Open(keep int) (*checkpoint.Folder, error) {
	disk, err := checkpoint.Directory(filepath.Join(s.Path, checkpoints))
	if err != nil {
		return nil, fault.Errorf(fault.OfIO(err), "open the state: %w", err)
	}
	return checkpoint.Open(disk, keep)
}

// Note leaves the text of a statement that runs for people, without its secrets.
func (s Statement) Note(sql string) error {
	if err := os.WriteFile(s.Text(), []byte(secret.Blank(sql)+";\n"), 0o644); err != nil {
		return fault.Errorf(fault.OfIO(err), "leave the text of the statement beside its state: %w", err)
	}
	return nil
}

// Text is the file with the text of the statement as it was run last.
func (s Statement) Text() string { return filepath.Join(s.Path, text) }

// SQL is the statement as it was run last, "" if that is not there any more.
func (s Statement) SQL() string {
	b, err := os.ReadFile(s.Text())
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(string(b)), ";")
}

func (s Statement) shelf() checkpoint.Shelf {
	return checkpoint.Browse(filepath.Join(s.Path, checkpoints))
}
