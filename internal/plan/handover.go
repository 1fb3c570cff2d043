package plan

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// notHandedOver are the options that say how a watermark is made of rows; one that is handed over is not.
var notHandedOver = []string{OptionEmit, OptionGap, OptionIdleTimeout, OptionGranularity, OptionMaxAhead, OptionDimension, OptionProducer, OptionDimensionValues, OptionDimensionTimeout, OptionLastRows, OptionGenerator}

// handsOver reports whether the watermark of the table is handed over.
func (r *resolver) handsOver() (bool, error) {
	if said, _, _ := r.option(OptionHandover); said != "true" {
		if _, _, ok := r.option(OptionHandoverTimeout); ok {
			return false, &connector.OptionError{Key: OptionHandoverTimeout, Message: fmt.Sprintf("'%s' is for a table in which the watermark is handed over", OptionHandoverTimeout),
				Hint: fmt.Sprintf("add '%s' = 'true', or leave it out", OptionHandover)}
		}
		return false, nil
	}
	for _, key := range notHandedOver {
		if _, _, ok := r.option(key); ok {
			return false, &connector.OptionError{Key: key, Message: fmt.Sprintf("'%s' says how a watermark is made of rows, and here it is handed over by those who write them", key),
				Hint: fmt.Sprintf("leave '%s' or '%s' out", key, OptionHandover)}
		}
	}
	return true, nil
}

// handedOver reports whether those who write the rows say what the watermark is.
func (s *Strategy) handedOver() bool {
	_, ok := s.Candidates.(watermark.HandedOver)
	return ok
}

// handedOver resolves generator, emission and idleness of such a table.
func (r *resolver) handedOver(s *Strategy) error {
	_, origin, _ := r.option(OptionHandover)
	r.note("generator", "handed over", origin)
	timeout, timeoutOrigin := int64(connector.DefaultHandoverTimeout), quoted(OptionHandover)
	if text, said, ok := r.option(OptionHandoverTimeout); ok {
		var err error
		if timeout, err = r.duration(OptionHandoverTimeout, text); err != nil {
			return err
		}
		timeoutOrigin = said
	}
	r.note("writer timeout", timefmt.Length(timeout), timeoutOrigin)
	s.Candidates, s.Emission, s.Idleness = watermark.HandedOver{}, watermark.OnEvent{Gap: 1}, watermark.Never{}
	return nil
}
