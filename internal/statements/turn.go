package statements

import "context"

// turn is a lock that one can give up waiting for. The zero value cannot be used.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) lock() { t <- struct{}{} }

// lockUntil is lock, unless ctx has ended or does while others have the turn; the error is that of ctx then.
func (t turn) lockUntil(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) unlock() { <-t }
