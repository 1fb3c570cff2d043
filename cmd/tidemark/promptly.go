package main

import (
	"context"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// promptly is what f gives, or errInterrupted as soon as ctx ends. Then f is left where it is: a large text can take long to read and to plan, a broker long to answer, and the program is about to end.
func promptly[T any](ctx context.Context, f func() (T, error)) (T, error) {
	if ctx.Err() != nil {
		return *new(T), errInterrupted
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := f()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		return *new(T), errInterrupted
	}
}

// parseText is language.Parse, promptly.
func parseText(ctx context.Context, text source.Text, as language.Language) ([]language.Statement, error) {
	return promptly(ctx, func() ([]language.Statement, error) { return language.Parse(text, as) })
}

// execute is Execute of the engine, promptly.
func execute(ctx context.Context, e *engine.Engine, text source.Text, stmt language.Statement) (*engine.Result, error) {
	return promptly(ctx, func() (*engine.Result, error) { return e.Execute(ctx, text, stmt) })
}
