package shell

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxHistory is how many inputs are kept.
const maxHistory = 2_000

// history is what was typed before, oldest first, with a place in it while it is looked through. It is kept in a file, if there is one: an
// input a line, quoted as Go quotes strings, so that an input of several lines is one entry.
type history struct {
	file    string // "" if nothing is kept
	entries []string
	at      int    // len(entries) when nothing is looked up
	draft   string // what stood in the editor before
}

// newHistory reads the history of a file, which need not be there.
func newHistory(file string) (*history, error) {
	h := &history{file: file}
	if file == "" {
		return h, nil
	}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		// What another program left in the file is passed over.
		if entry, err := strconv.Unquote(lines.Text()); err == nil {
			h.entries = append(h.entries, entry)
		}
	}
	if n := len(h.entries); n > maxHistory {
		h.entries = h.entries[n-maxHistory:]
		err = h.rewrite()
	}
	h.at = len(h.entries)
	return h, errors.Join(err, lines.Err())
}

func (h *history) rewrite() error {
	var b strings.Builder
	for _, entry := range h.entries {
		b.WriteString(strconv.Quote(entry) + "\n")
	}
	return os.WriteFile(h.file, []byte(b.String()), 0o600)
}

// add keeps an input, unless it is empty or the last one again.
func (h *history) add(input string) error {
	input = strings.TrimSpace(input)
	n := len(h.entries)
	h.at, h.draft = n, ""
	if input == "" || n > 0 && h.entries[n-1] == input {
		return nil
	}
	h.entries = append(h.entries, input)
	h.at = len(h.entries)
	if h.file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.Quote(input) + "\n")
	return errors.Join(err, f.Close())
}

// move goes back or forth by one entry; now is what stands in the editor. Behind the last entry is what stood there at first.
func (h *history) move(by int, now string) (entry string, ok bool) {
	to := h.at + by
	if to < 0 || to > len(h.entries) {
		return "", false
	}
	if h.at == len(h.entries) {
		h.draft = now
	}
	if h.at = to; to == len(h.entries) {
		return h.draft, true
	}
	return h.entries[to], true
}

// search finds the newest entry before index `before` that holds text, whatever its case; -1 if there is none.
func (h *history) search(text string, before int) int {
	for i := before - 1; i >= 0; i-- {
		if strings.Contains(strings.ToLower(h.entries[i]), strings.ToLower(text)) {
			return i
		}
	}
	return -1
}
