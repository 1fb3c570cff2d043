package statements

import "slices"

// Line is a line of the log of a statement.
type Line struct {
	At    int64 // microseconds
	Level Level
	Text  string
}

// Level is what kind of line it is.
type Level string

// The levels.
const (
	LevelInfo    Level = "INFO" // a change of the phase
	LevelWarning Level = "WARN"
	LevelError   Level = "ERROR" // an attempt that failed
)

// keepLines is how many lines of the log of a statement are kept.
const keepLines = 200

// write adds a line to the log; the hub's mu is held.
func (l *life) write(level Level, text string) {
	l.log = append(l.log, Line{l.hub.clock.Now(), level, text})
	if n := len(l.log) - keepLines; n > 0 {
		l.log = slices.Delete(l.log, 0, n)
	}
}

// note notes that the statement comes into a phase, with who runs the server too if he may have to do something.
func (l *life) note(p Phase, detail string) {
	text := string(p)
	if detail != "" {
		text += ": " + detail
	}
	level := LevelInfo
	if p == Degraded || p == Failed {
		level = LevelError
	}
	l.write(level, text)
	if p == Degraded || p == Failed || l.view.Phase == Degraded {
		l.hub.options.Tell(l.view.Name + ": " + text)
	}
}

// Log is what has happened to a statement since the server began, the oldest first.
func (h *Hub) Log(name string) ([]Line, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l, err := h.find(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(l.log), nil
}
