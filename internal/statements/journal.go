package statements

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
)

// journal is what has changed the catalog and what was started, in order, a JSON object a line. A line that was not written to its end is as if it had never been begun.
type journal struct {
	path string

	mu   sync.Mutex
	file *os.File
	last int64
	size int64 // bytes that are written
	// failure is why the last entry could not be written, nil if it was.
	failure error
}

// entry is a line of the journal: a statement that was executed, or the number of one that was taken back.
type entry struct {
	Number    int64  `json:"number"`
	Statement string `json:"statement,omitempty"` // the name of the one that asked
	// UID is that of the statement, by which it is told from another one of its name; entries of older programs have none.
	UID        string            `json:"uid,omitempty"`
	SQL        string            `json:"sql,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
	// Environment is another name of the catalog that a session begins with.
	Environment string `json:"environment,omitempty"`
	// Declares says that the catalog has changed by it.
	Declares bool  `json:"declares,omitempty"`
	Undone   int64 `json:"undone,omitempty"`
}

// openJournal reads a journal, which need not be there yet, and leaves out what was taken back and what keep does not want any more. Leaving that out of the file too is housekeeping: a journal
// for which there is no room to be written anew is told of, and gone on with as it is.
func openJournal(path string, keep func(entry) bool, tell func(string)) (*journal, []entry, error) {
	j := &journal{path: path}
	all, err := j.read()
	if err != nil {
		return nil, nil, err
	}
	kept := all[:0]
	for _, e := range all {
		if keep(e) {
			kept = append(kept, e)
		}
	}
	if err = j.rewrite(kept); fault.OfIO(err) == fault.Resource && j.goOn() == nil {
		tell(err.Error() + "; the old one is gone on with, and what cannot be written down is refused until there is room: " + needsRoom)
		return j, kept, nil
	}
	return j, kept, err
}

// needsRoom is what to do when nothing can be written into the folder of the server.
const needsRoom = "--data-dir has to be on a disk that has room and can be written"

// goOn takes the file as it is; rewriting it may have failed before or after its place was taken.
func (j *journal) goOn() error {
	if _, err := j.read(); err != nil {
		return err
	}
	return j.open()
}

func (j *journal) failed(what string, err error) error {
	return fault.Wrap(fault.OfIO(err), fmt.Errorf("%s the journal of statements: %w", what, err))
}

// read gives the entries that were not taken back, and finds the size of the lines that are whole.
func (j *journal) read() ([]entry, error) {
	file, err := os.Open(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, j.failed("open", err)
	}
	defer file.Close()
	var all []entry
	j.size = 0
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return all, nil // what stands behind the last line end was torn
		}
		j.size += int64(len(line))
		if err != nil {
			return nil, j.failed("read", err)
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fault.Errorf(fault.Resource, "line %d of '%s' has changed since it was written: %w; take the file from a copy, or remove the line", number, j.path, err)
		}
		j.last = max(j.last, e.Number)
		if e.Undone == 0 {
			all = append(all, e)
			continue
		}
		for i := range all {
			if all[i].Number == e.Undone {
				all = append(all[:i], all[i+1:]...)
				break
			}
		}
	}
}

// rewrite makes the file anew with these entries, and opens it for more.
func (j *journal) rewrite(all []entry) error {
	var text []byte
	for _, e := range all {
		text = e.append(text)
	}
	if err := replace(j.path, text); err != nil {
		return j.failed("write", err)
	}
	j.size = int64(len(text))
	return j.open()
}

// open opens the file for more, behind the lines that are whole.
func (j *journal) open() error {
	file, err := os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return j.failed("open", err)
	}
	if err := file.Truncate(j.size); err != nil {
		return j.failed("open", errors.Join(err, file.Close()))
	}
	j.file = file
	return nil
}

func (e entry) append(text []byte) []byte {
	line, err := json.Marshal(e)
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return append(append(text, line...), '\n')
}

// add writes an entry to the disk and returns its number.
func (j *journal) add(e entry) (int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	e.Number = j.last
	line := e.append(nil)
	_, err := j.file.Write(line)
	if err == nil {
		err = j.file.Sync()
	}
	if j.failure = err; err != nil {
		return 0, j.failed("write", errors.Join(err, j.file.Truncate(j.size))) // half a line would spoil the next one
	}
	j.size += int64(len(line))
	return e.Number, nil
}

func (j *journal) close() error { return j.file.Close() }

// replace writes a file anew: a reader finds all of the old one or all of the new one, whatever happens. It may hold secrets, so it is for its owner alone.
func replace(path string, content []byte) error {
	temporary := path + ".new"
	file, err := os.OpenFile(temporary, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary)) // half a file takes room that there is not
	}
	return folders.Sync(filepath.Dir(path))
}
