package plan

import "github.com/tidemark-sql/tidemark/internal/connector"

// The values of OptionCapture.
const (
	captureNone    = "none"
	captureDurable = "durable"
)

// CapturedSuffix makes the name of the table in which late rows are kept from that of the table which they are of.
const CapturedSuffix = "_late"

// capture resolves what becomes of late rows that are left out.
func (r *resolver) capture(s *Strategy) error {
	how, origin, _ := r.option(OptionCapture)
	s.Target, _, _ = r.option(OptionCaptured)
	if s.Captures = how == captureDurable; !s.Captures {
		return nil
	}
	if !s.Shown {
		return &connector.OptionError{Key: OptionCapture, Message: quoted(OptionCapture) + " = '" + captureDurable + "' keeps what " + quoted(OptionLate) + " = '" + lateFilter + "' leaves out, and the table has another mode",
			Hint: "add " + quoted(OptionLate) + " = '" + lateFilter + "', or leave the capture out"}
	}
	r.note("late capture", captureDurable, origin)
	return nil
}
