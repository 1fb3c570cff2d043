package history

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// day is the file of a day. Each of its records is a chunk behind a head:
//
//	number of the hour, 1 for the part with the splits and 0 for the other, length and text of the ID of the statement
type day struct {
	number int64
	file   *file
	chunks []chunk
	dead   int64 // bytes of chunks that were dropped and are still in the file
}

// chunk says where a chunk is.
type chunk struct {
	place
	id   string
	hour int64
	wide bool
}

func (c *chunk) appendHead(dst []byte) []byte {
	dst = binary.AppendVarint(dst, c.hour)
	if c.wide {
		dst = append(dst, 1)
	} else {
		dst = append(dst, 0)
	}
	return appendText(dst, c.id)
}

// readHead reads the head of a chunk; body is what follows it.
func (c *chunk) readHead(payload []byte) (body []byte, ok bool) {
	r := &reader{b: payload}
	c.hour, c.wide, c.id = r.varint(), r.byte() == 1, r.text()
	return r.b, !r.bad
}

func parseDay(text string) (int64, bool) {
	t, err := time.Parse(layout, text)
	return timefmt.FloorDiv(t.Unix(), secondsOfDay), err == nil
}

func dayName(number int64) string { return time.Unix(number*secondsOfDay, 0).UTC().Format(layout) }

// openDay opens the file of a day.
func openDay(dir string, number int64, room *[]byte, known func(string) bool) (*day, error) {
	d := &day{number: number}
	ids := map[string]string{} // each is held once
	var err error
	d.file, err = openFile(filepath.Join(dir, dayName(number)+daySuffix), room, func(at place, payload []byte) {
		c := chunk{place: at}
		if _, ok := c.readHead(payload); !ok || !known(c.id) {
			d.dead += at.bytes()
			return
		}
		if _, there := ids[c.id]; !there {
			ids[c.id] = c.id
		}
		c.id = ids[c.id]
		d.chunks = append(d.chunks, c)
	})
	return d, err
}

// live is how many bytes of the file are of chunks that are there.
func (d *day) live() int64 { return d.file.size - d.dead }

// drop forgets chunks; their bytes stay.
func (d *day) drop(unwanted func(*chunk) bool) (any bool) {
	kept := d.chunks[:0]
	for i := range d.chunks {
		if c := d.chunks[i]; unwanted(&c) {
			d.dead += c.bytes()
			any = true
		} else {
			kept = append(kept, c)
		}
	}
	clear(d.chunks[len(kept):])
	d.chunks = kept
	return any
}

// sweep writes the file anew, without what was dropped: whatever happens, one of the two is there.
func (d *day) sweep() error {
	to := d.file.path + temporary
	f, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return failed("write", err)
	}
	fresh := &file{path: d.file.path, f: f}
	chunks, err := d.copyTo(fresh)
	if err == nil {
		err = fresh.sync()
	}
	if err == nil {
		if err = os.Rename(to, d.file.path); err != nil {
			err = failed("write", err)
		}
	}
	if err != nil {
		return errors.Join(err, f.Close(), os.Remove(to))
	}
	d.file.f.Close() // nothing of it is needed any more
	d.file, d.chunks, d.dead = fresh, chunks, 0
	return nil
}

// copyTo copies the chunks that are there. What has become unreadable stays behind.
func (d *day) copyTo(fresh *file) ([]chunk, error) {
	var kept []chunk
	for _, c := range d.chunks {
		payload, err := d.file.read(c.place)
		if errors.Is(err, errDamaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c.at = fresh.size
		if err := fresh.append(appendRecord(nil, payload)); err != nil {
			return nil, err
		}
		kept = append(kept, c)
	}
	return kept, nil
}

// read reads what the day has of a statement in an hour into a sheet, the newest last.
func (d *day) read(into *sheet, c *chunk) error {
	payload, err := d.file.read(c.place)
	if err != nil {
		return err
	}
	var head chunk
	body, ok := head.readHead(payload)
	if !ok {
		return errDamaged
	}
	return into.read(body)
}
