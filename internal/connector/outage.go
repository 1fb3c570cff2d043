package connector

// Distant is a Source or a Sink that talks to a system outside, and waits for it when it is away: nothing fails for that until it has lasted long.
type Distant interface {
	// Outage is why that system gave no answer when it was asked last, nil if it gave one. Anybody may ask, at any time, also before Open and behind Close.
	Outage() error
}

// OutageOf is the Outage of a source or sink, nil if it is not Distant.
func OutageOf(of any) error {
	if d, ok := of.(Distant); ok {
		return d.Outage()
	}
	return nil
}
