package main

import (
	"context"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
	"github.com/tidemark-sql/tidemark/internal/statedir"
)

// lookForAnswers is how often who has asked for something looks whether it has happened.
const lookForAnswers = 50 * time.Millisecond

// claimState claims a folder of states, nil if a process has it open.
func claimState(dir string) (*folders.Claimed, error) {
	claim, err := folders.Claim(dir, "folder of states")
	if err != nil && fault.Of(err) == fault.User {
		return nil, nil
	}
	return claim, err
}

// ask has the process that has dir open take a checkpoint, and returns once that is durable. If the process ends meanwhile, its last one is as good.
func (s *state) ask(ctx context.Context, dir string, wish statedir.Wish) error {
	if err := statedir.Ask(dir, wish); err != nil {
		return err
	}
	return s.wait(ctx, dir, func() (bool, error) {
		w, err := statedir.Wished(dir)
		if err != nil || w == "" {
			return true, err
		}
		claim, err := claimState(dir)
		if claim != nil {
			claim.Release()
		}
		return claim != nil, err
	})
}

// end has the process that has dir open end, and takes its place.
func (s *state) end(ctx context.Context, dir string, wish statedir.Wish) (claim *folders.Claimed, err error) {
	if err := statedir.Ask(dir, wish); err != nil {
		return nil, err
	}
	err = s.wait(ctx, dir, func() (bool, error) {
		claim, err = claimState(dir)
		return claim != nil, err
	})
	return claim, err
}

// wait looks again and again until something has happened, and takes the wish back that it waits for.
func (s *state) wait(ctx context.Context, dir string, happened func() (bool, error)) error {
	defer statedir.Withdraw(dir)
	until := time.NewTimer(time.Duration(s.timeout))
	defer until.Stop()
	ticker := time.NewTicker(lookForAnswers)
	defer ticker.Stop()
	for {
		if ok, err := happened(); ok || err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-until.C:
			return fault.Errorf(fault.External, "the process that has '%s' open did not do it within %s; what it writes may tell why, and --timeout gives it longer", dir, &s.timeout)
		case <-ctx.Done():
			return errInterrupted
		}
	}
}
