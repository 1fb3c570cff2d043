package watermark

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Strategy says how a source makes watermarks. It is a composition of closed sets, one file per part. It prints in the words of the option values.
//
// The zero value works, and is Replay(1000). Helpers make others: BoundedOutOfOrderness, Monotonous and FromGenerator, with WithIdleness and WithAlignment behind them. Pairs of parts that make
// no sense are errors of Validate.
type Strategy struct {
	// Tick is the resolution of the time attribute in microseconds: 1000 for TIMESTAMP(3). 0 is 1000.
	Tick int64
	// Emission is nil for OnEvent{Gap: 1}, with every row.
	Emission Emission
	// Idleness is nil for Never.
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
	// Candidates is nil if they are the values of the watermark expression.
	Candidates Candidates
}

// Replay is the strategy of a bounded input without an explicit one: every row that raises the watermark emits it, the wall
// clock decides nothing, and so the same input always gives the same result.
func Replay(tick int64) Strategy {
	return Strategy{Tick: tick, Emission: OnEvent{Gap: 1}, Idleness: Never{}}
}

// whole is s with what the zero values stand for.
func (s Strategy) whole() Strategy {
	if s.Tick == 0 {
		s.Tick = microsPerMilli
	}
	if s.Emission == nil {
		s.Emission = OnEvent{Gap: 1}
	}
	if s.Idleness == nil {
		s.Idleness = Never{}
	}
	return s
}

func (s Strategy) String() string {
	s = s.whole()
	candidates, ahead := "", ""
	if s.Candidates != nil {
		candidates = s.Candidates.String() + "; "
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
