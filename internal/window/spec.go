package window

import "fmt"

// Kind is a kind of window.
type Kind uint8

const (
	// Tumble windows follow each other without gap or overlap.
	Tumble Kind = iota
	// Hop windows have one size and start at every slide.
	Hop
	// Cumulate windows start together and end one step apart, until the greatest of them is full.
	Cumulate
	// Session windows last as long as no gap is between the rows of a key.
	Session
)

// String is the name of the table function.
func (k Kind) String() string {
	switch k {
	case Tumble:
		return "TUMBLE"
	case Hop:
		return "HOP"
	case Cumulate:
		return "CUMULATE"
	case Session:
		return "SESSION"
	}
	panic("tidemark bug: unknown kind of window")
}

// Window is the time from Start up to but without End, in microseconds.
type Window struct {
	Start, End int64
}

// Spec describes the windows of one table function. All lengths are microseconds.
type Spec struct {
	Kind Kind
	// Size is the length of a window; for CUMULATE of the greatest one.
	Size int64
	// Slide is HOP's slide and CUMULATE's step.
	Slide int64
	// Offset shifts the window edges. Any value is good, they repeat. Not for SESSION.
	Offset int64
	// Gap is SESSION's.
	Gap int64
}

const (
	milli = 1_000
	// maxLength keeps sums of a time and a few lengths within an int64.
	maxLength = 10_000 * 366 * day
)

// LengthError is a length that windows cannot have.
type LengthError struct {
	// Part is the length at fault: "size", "slide", "step", "gap" or "offset".
	Part          string
	Message, Hint string
}

// Error says what is wrong and what would be right.
func (e *LengthError) Error() string { return e.Message + "; " + e.Hint }

// Validate checks what a user can get wrong; the error is a *LengthError. The other methods want a valid Spec.
//
// A HOP whose slide is greater than its size leaves gaps and is valid here; Flink 2.3 assigns such windows but does not
// aggregate over them.
func (s Spec) Validate() error {
	if s.Kind == Session {
		return s.length("gap", s.Gap)
	}
	if err := s.length("size", s.Size); err != nil {
		return err
	}
	if s.Offset%milli != 0 || s.Offset > maxLength || s.Offset < -maxLength {
		return s.badLength("offset", s.Offset)
	}
	switch s.Kind {
	case Hop:
		if err := s.length("slide", s.Slide); err != nil {
			return err
		}
		if s.Slide <= s.Size {
			return s.divides("slide")
		}
	case Cumulate:
		if err := s.length("step", s.Slide); err != nil {
			return err
		}
		return s.divides("step")
	}
	return nil
}

func (s Spec) length(name string, v int64) error {
	if v <= 0 {
		return s.lengthError(name, v, "it must be greater than zero")
	}
	if v%milli != 0 || v > maxLength {
		return s.badLength(name, v)
	}
	return nil
}

func (s Spec) badLength(name string, v int64) error {
	if v%milli != 0 {
		return s.lengthError(name, v, "it must be a whole number of milliseconds")
	}
	return s.lengthError(name, v, "it must be within 10000 years")
}

func (s Spec) lengthError(name string, v int64, hint string) error {
	return &LengthError{name, fmt.Sprintf("the %s of %s is %s", name, s.Kind, interval(v)), hint}
}

// divides wants the size to be a multiple of the slide or step.
func (s Spec) divides(part string) error {
	if s.Size%s.Slide == 0 {
		return nil
	}
	message := fmt.Sprintf("the size of %s, %s, is not a multiple of its %s, %s", s.Kind, interval(s.Size), part, interval(s.Slide))
	below := s.Size / s.Slide * s.Slide
	if below == 0 {
		return &LengthError{"size", message, "the nearest size that is one is " + interval(s.Slide)}
	}
	return &LengthError{"size", message, fmt.Sprintf("the nearest sizes that are one are %s and %s", interval(below), interval(below+s.Slide))}
}

// Assign appends all windows that contain t to dst, in ascending order. A session is the one of t alone.
func (s Spec) Assign(t int64, dst []Window) []Window {
	switch s.Kind {
	case Tumble:
		return s.assignTumble(t, dst)
	case Hop:
		return s.assignHop(t, dst)
	case Cumulate:
		return s.assignCumulate(t, dst)
	case Session:
		return append(dst, s.SessionOf(t))
	}
	panic("tidemark bug: unknown kind of window")
}

// SlideWidth is the width of a slice of aligned windows. Slices lie on a grid of this width, shifted by the offset, and window
// edges lie on it too: a frontier matters only when it passes a grid line.
func (s Spec) SlideWidth() int64 {
	switch s.Kind {
	case Tumble:
		return s.Size
	case Hop:
		return s.hopWidth()
	case Cumulate:
		return s.Slide
	}
	panic(notAligned)
}

// SliceEnd is the end of the slice that contains t.
func (s Spec) SliceEnd(t int64) int64 {
	width := s.SlideWidth()
	return Start(t, width, s.Offset) + width
}

// FirstEnd is the end of the first window that contains the slice, given by its end. It is greater than LastEnd when no window
// does, which is so in the gaps of a HOP.
func (s Spec) FirstEnd(sliceEnd int64) int64 {
	switch s.Kind {
	case Tumble, Cumulate:
		return sliceEnd
	case Hop:
		return s.firstHopEnd(sliceEnd)
	}
	panic(notAligned)
}

// LastEnd is the end of the last window that contains the slice, given by its end. The windows that contain it end at FirstEnd
// and from there on at every Next up to LastEnd.
func (s Spec) LastEnd(sliceEnd int64) int64 {
	switch s.Kind {
	case Tumble:
		return sliceEnd
	case Hop:
		return s.lastHopEnd(sliceEnd)
	case Cumulate:
		return s.lastCumulateEnd(sliceEnd)
	}
	panic(notAligned)
}

// Next is the end of the window that ends after the one that ends at end.
func (s Spec) Next(end int64) int64 {
	switch s.Kind {
	case Tumble:
		return end + s.Size
	case Hop, Cumulate:
		return end + s.Slide
	}
	panic(notAligned)
}

// Window is the window that ends at end.
func (s Spec) Window(end int64) Window {
	switch s.Kind {
	case Tumble, Hop:
		return Window{end - s.Size, end}
	case Cumulate:
		return Window{s.cumulateStart(end), end}
	}
	panic(notAligned)
}

// Slices appends the ends of the slices of the window that ends at end to dst, in ascending order.
func (s Spec) Slices(end int64, dst []int64) []int64 {
	width := s.SlideWidth()
	for e := s.Window(end).Start + width; e <= end; e += width {
		dst = append(dst, e)
	}
	return dst
}

const notAligned = "tidemark bug: sessions have no slices"

// Start is the start of the interval of a grid that contains t. The grid has lines at offset and every size from there on.
func Start(t, size, offset int64) int64 { return t - floorMod(t-offset, size) }

func floorMod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}
