package plan

import (
	"fmt"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// programOrigin is what EXPLAIN calls the program that runs the engine.
const programOrigin = "program"

// generatorCode is the value of OptionGenerator that only a program can give.
const generatorCode = "code"

// ProgramLevel is what a program says of the watermarks of a table, in the words of the options: it stands between hints and WITH. Parts that are nil or zero say nothing. The error is about parts that SQL has other
// means for, or about a strategy that is wrong by itself.
func ProgramLevel(s watermark.Strategy) (Level, error) {
	l := Level{Origin: programOrigin, Options: connector.Options{}, Program: &s}
	if err := s.Validate(); err != nil {
		return l, err
	}
	switch e := s.Emission.(type) {
	case watermark.OnEvent:
		l.Options[OptionEmit], l.Options[OptionGap] = "on-event", strconv.FormatInt(e.Gap, 10)
	case watermark.Periodic:
		l.Options[OptionEmit] = "on-periodic"
	case watermark.Granular:
		l.Options[OptionGranularity] = micros(e.Step)
	case watermark.AtEnd:
		return l, elsewhere("emission at the end", "SET 'sql.snapshot.mode' = 'now'")
	}
	switch i := s.Idleness.(type) {
	case watermark.Never:
		l.Options[OptionIdleTimeout] = "0"
	case watermark.Fixed:
		l.Options[OptionIdleTimeout] = micros(i.Timeout)
	case watermark.Progressive:
		if i.From != watermark.ProgressiveFrom || i.To != watermark.ProgressiveTo {
			return l, elsewhere("an idle timeout from "+timefmt.Length(i.From)+" to "+timefmt.Length(i.To), "a Fixed one, or that of Confluent Cloud")
		}
		l.Options[OptionIdleTimeout] = "progressive"
	case watermark.Stepped:
		if s.Emission != (watermark.Granular{Step: i.Step}) {
			return l, elsewhere("an idle timeout in steps of "+timefmt.Length(i.Step), "Granular with the same step")
		}
		l.Options[OptionIdleTimeout] = micros(i.Timeout)
	}
	switch by := s.Candidates.(type) {
	case watermark.Code:
		l.Options[OptionGenerator] = generatorCode
	case watermark.Lookahead:
		return l, elsewhere(by.String(), quoted(OptionGenerator)+" = '"+generatorLookahead+"'")
	}
	if s.Dimension != nil {
		return l, elsewhere("a dimension", quoted(OptionDimension)+", which names columns")
	}
	if a := s.Alignment; a.Drift > 0 {
		l.Options[OptionAlignDrift] = micros(a.Drift)
		if a.Group != "" {
			l.Options[OptionAlignGroup] = a.Group
		}
	}
	if s.MaxAhead > 0 {
		l.Options[OptionMaxAhead] = micros(int64(s.MaxAhead))
	}
	if s.LastRows > 0 {
		l.Options[OptionLastRows] = strconv.FormatInt(s.LastRows, 10)
	}
	return l, nil
}

func micros(n int64) string { return strconv.FormatInt(n, 10) + " us" }

func elsewhere(part, instead string) error {
	return fmt.Errorf("a program cannot give a table %s; use %s", part, instead)
}

// InCode reports whether a program makes the watermark, whatever its declaration says.
func (s *Strategy) InCode() bool {
	_, ok := s.Candidates.(watermark.Code)
	return ok
}

// program is what the program says, the zero value if it says nothing.
func (r *resolver) program() watermark.Strategy {
	for _, l := range r.levels {
		if l.Program != nil {
			return *l.Program
		}
	}
	return watermark.Strategy{}
}

// code resolves the candidates that a program makes.
func (r *resolver) code(s *Strategy) error {
	p := r.program()
	if p.Tick != 0 && p.Tick != r.tick {
		return &connector.OptionError{Key: OptionGenerator, Message: fmt.Sprintf("the program gives the watermark a tick of %s, and the column has %s", timefmt.Length(p.Tick), timefmt.Length(r.tick)),
			Hint: "leave the tick out"}
	}
	kind, origin, _ := r.option(OptionGenerator)
	if kind != generatorCode {
		return nil
	}
	r.note("generator", p.Candidates.String(), origin)
	for _, key := range []string{OptionDimension, OptionProducer, OptionLastRows} {
		if _, _, ok := r.option(key); ok {
			return &connector.OptionError{Key: key, Message: "a watermark that the program makes is not made by value or by the last rows", Hint: fmt.Sprintf("leave '%s' out, or have the program leave the generator out", key)}
		}
	}
	s.Candidates = p.Candidates
	return nil
}
