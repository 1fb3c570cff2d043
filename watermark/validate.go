package watermark

import "fmt"

// Validate reports the first part of the strategy that is out of range or does not go with another. New takes no other strategy.
func (s Strategy) Validate() error {
	if s.Tick < 0 {
		return fmt.Errorf("watermark strategy: tick of %d us", s.Tick)
	}
	s = s.whole()
	if s.MaxAhead < 0 || s.Alignment.Drift < 0 {
		return fmt.Errorf("watermark strategy: max-ahead of %d us, drift of %d us", s.MaxAhead, s.Alignment.Drift)
	}
	if s.LastRows < 0 || s.LastRows > MaxLastRows {
		return fmt.Errorf("watermark strategy: the last %d rows, and at most %d are kept", s.LastRows, MaxLastRows)
	}
	if err := s.validEmission(); err != nil {
		return err
	}
	if err := s.validIdleness(); err != nil {
		return err
	}
	return s.validCandidates()
}

func (s Strategy) validEmission() error {
	switch e := s.Emission.(type) {
	case Periodic:
		if e.Interval < 0 || e.EagerFor < 0 {
			return fmt.Errorf("watermark strategy: an interval of %d us, eager for %d us", e.Interval, e.EagerFor)
		}
	case OnEvent:
		if e.Gap < 1 {
			return fmt.Errorf("watermark strategy: a gap of %d rows; 1 is every row", e.Gap)
		}
	case Granular:
		if e.Step < 1 || e.Step%s.Tick != 0 {
			return fmt.Errorf("watermark strategy: steps of %d us, and the tick is %d us", e.Step, s.Tick)
		}
	}
	return nil
}

func (s Strategy) validIdleness() error {
	switch i := s.Idleness.(type) {
	case Fixed:
		if i.Timeout < 1 {
			return fmt.Errorf("watermark strategy: an idle timeout of %d us; Never is for none", i.Timeout)
		}
	case Progressive:
		if i.From < 1 || i.To < i.From {
			return fmt.Errorf("watermark strategy: an idle timeout from %d us to %d us", i.From, i.To)
		}
	case Stepped:
		if i.Timeout < 1 || i.Step < 1 {
			return fmt.Errorf("watermark strategy: an idle timeout of %d us in steps of %d us", i.Timeout, i.Step)
		}
	case Lift:
		if _, looks := s.Candidates.(Lookahead); !looks {
			return fmt.Errorf("watermark strategy: idleness %v is for Lookahead", i)
		}
		if i.After < 0 || !(i.Ratio > 0 && i.Ratio <= 1) {
			return fmt.Errorf("watermark strategy: idleness %v; the share is above 0 and up to 1", i)
		}
	}
	return nil
}

func (s Strategy) validCandidates() error {
	switch by := s.Candidates.(type) {
	case Code:
		if by.wrong != "" {
			return fmt.Errorf("watermark strategy: %s: %s", by, by.wrong)
		}
		if by.New == nil {
			return fmt.Errorf("watermark strategy: %s makes no generators", by)
		}
	case HandedOver:
		_, at := s.Emission.(OnEvent)
		if never := s.Idleness == (Never{}); !at || !never || s.MaxAhead != 0 {
			return fmt.Errorf("watermark strategy: HandedOver goes with OnEvent and Never and without max-ahead, not with %v and %v", s.Emission, s.Idleness)
		}
	case Lookahead:
		valid := func(p Percentile) bool { return p.Value >= 0 && p.Value <= 100 && p.Delay >= 0 }
		if by.Bound < 0 || !valid(by.InFlight) || !valid(by.LateData) || !by.Outages.valid() {
			return fmt.Errorf("watermark strategy: %v is out of range", by)
		}
		_, periodic := s.Emission.(Periodic)
		_, lifts := s.Idleness.(Lift)
		if never := s.Idleness == (Never{}); !periodic || !never && !lifts {
			return fmt.Errorf("watermark strategy: Lookahead goes with Periodic and with Never or Lift, not with %v and %v", s.Emission, s.Idleness)
		}
	}
	if s.Candidates != nil && (s.Dimension != nil || s.LastRows > 0) {
		return fmt.Errorf("watermark strategy: %v goes with no dimension and no last rows", s.Candidates)
	}
	return nil
}
