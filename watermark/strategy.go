package watermark

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Strategy says how a source makes watermarks. It is a composition of closed sets, one file per part; pairs that make no sense
// are refused while planning. It prints in the words of the option values.
type Strategy struct {
	// Tick is the resolution of the time attribute in microseconds: 1000 for TIMESTAMP(3).
	Tick      int64
	Emission  Emission
	Idleness  Idleness
	NullTime  NullTime
	MaxAhead  MaxAhead
	Alignment Alignment
	// Dimension divides the rows of a split; nil does not.
	Dimension *Dimension
	// LastRows, if it is not 0, holds the candidate of a row down to the least time of so many rows of its split, which end with it.
	// Rows without a time are none of them. At most MaxLastRows.
	//
	// YTsaurus Flow announces this for splits that several producers share of whom one lags behind.
	LastRows int64
	// Generator is nil if candidates are the values of the watermark expression.
	Generator Generator
}

// Replay is the strategy of a bounded input without an explicit one: every row that raises the watermark emits it, the wall
// clock decides nothing, and so the same input always gives the same result.
func Replay(tick int64) Strategy {
	return Strategy{Tick: tick, Emission: OnEvent{Gap: 1}, Idleness: Never{}}
}

func (s Strategy) String() string {
	candidates, ahead := "", ""
	if s.Generator != nil {
		candidates = s.Generator.String() + "; "
	}
	if s.Dimension != nil {
		candidates += s.Dimension.String() + "; "
	}
	if s.LastRows > 0 {
		candidates += "last " + strconv.FormatInt(s.LastRows, 10) + " rows; "
	}
	if s.MaxAhead > 0 {
		ahead = "; max-ahead " + timefmt.Length(int64(s.MaxAhead))
	}
	return candidates + "emit " + s.Emission.String() + "; idle-timeout " + s.Idleness.String() +
		"; align " + s.Alignment.String() + "; null " + s.NullTime.String() + ahead + "; tick " + timefmt.Length(s.Tick)
}
