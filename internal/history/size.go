package history

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// drop is what is gone of a day because there was no room. An empty file beside the others keeps it in mind.
type drop uint8

const (
	droppedSplits drop = iota + 1 // the series of splits
	droppedDay                    // everything
)

func (d drop) suffix() string {
	if d == droppedSplits {
		return ".splits-dropped"
	}
	return ".dropped"
}

// Bytes is how much the folder has.
func (s *Store) Bytes() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.bytes()
}

func (s *Store) bytes() int64 {
	n := s.minutes.size
	for _, d := range s.days {
		n += d.file.size
	}
	return n
}

// live is how much of that is not dropped yet.
func (s *Store) live() int64 {
	n := s.minutes.size
	for _, d := range s.days {
		n += d.live()
	}
	return n
}

// makeRoom deletes days that are over, and drops what is beyond the limit if the next hour takes as much as the last one did. A file is written anew if most of it is of statements that are forgotten, or
// there is no room without: one at most, unless that is not enough.
func (s *Store) makeRoom(today, hour int64) error {
	err := s.deleteOld(min(today, s.steady) - Days)
	for s.live()+hour > s.limit {
		dropped, wrong := s.dropSome(today)
		err = errors.Join(err, wrong)
		if !dropped {
			break
		}
	}
	for range s.days {
		d := s.emptiest()
		full := s.bytes()+hour > s.limit
		if d == nil || d.dead == 0 || !full && d.dead <= d.file.size/2 {
			break
		}
		err = errors.Join(err, d.sweep())
		if !full {
			break
		}
	}
	return err
}

// emptiest is the day of which most was dropped that is still in its file; nil if there is no day.
func (s *Store) emptiest() (d *day) {
	for _, x := range s.days {
		if d == nil || x.dead > d.dead {
			d = x
		}
	}
	return d
}

// deleteOld deletes days before the first one that is kept.
func (s *Store) deleteOld(first int64) (err error) {
	for number := range s.days {
		if number < first {
			err = errors.Join(err, s.deleteDay(number))
		}
	}
	for number, what := range s.dropped {
		if number < first {
			err = errors.Join(err, s.forgetDrop(number, what))
		}
	}
	return err
}

func (s *Store) deleteDay(number int64) error {
	d := s.days[number]
	delete(s.days, number)
	d.file.f.Close() // nothing of it is needed any more
	if err := os.Remove(d.file.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("write", err)
	}
	return nil
}

// dropSome drops one thing: days that a wrong clock has made, then the series of splits of the oldest day, then the oldest day, and of today the series of splits and then the oldest hour. It is false
// if there is nothing left to drop.
func (s *Store) dropSome(today int64) (bool, error) {
	numbers := slices.Sorted(maps.Keys(s.days))
	if len(numbers) == 0 {
		return false, nil
	}
	if last := numbers[len(numbers)-1]; last > today+1 {
		return true, s.deleteDay(last)
	}
	splits := func(c *chunk) bool { return c.wide }
	for _, number := range numbers {
		if number < today && s.days[number].drop(splits) {
			return true, s.keepInMind(number, droppedSplits)
		}
	}
	if first := numbers[0]; first < today {
		return true, errors.Join(s.deleteDay(first), s.keepInMind(first, droppedDay))
	}
	d := s.days[numbers[0]]
	if d.drop(splits) {
		return true, s.keepInMind(d.number, droppedSplits)
	}
	if len(d.chunks) == 0 {
		return false, nil
	}
	oldest := slices.MinFunc(d.chunks, func(a, b chunk) int { return cmp.Compare(a.hour, b.hour) }).hour
	return d.drop(func(c *chunk) bool { return c.hour == oldest }), s.keepInMind(d.number, droppedDay)
}

// keepInMind notes what was dropped of a day.
func (s *Store) keepInMind(number int64, what drop) error {
	if s.dropped[number] >= what {
		return nil
	}
	s.dropped[number] = what
	f, err := os.OpenFile(s.dropPath(number, what), os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return failed("write", err)
	}
	return nil
}

func (s *Store) forgetDrop(number int64, what drop) (err error) {
	delete(s.dropped, number)
	for ; what > 0; what-- {
		if e := os.Remove(s.dropPath(number, what)); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, failed("write", e))
		}
	}
	return err
}

func (s *Store) dropPath(number int64, what drop) string {
	return filepath.Join(s.dir, dayName(number)+what.suffix())
}
