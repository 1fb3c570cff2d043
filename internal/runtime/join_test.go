package runtime

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

func TestJoin(t *testing.T) {
	full, gone := errors.New("disk full"), errors.New("peer gone")
	for _, c := range []struct {
		errs []error
		want string
	}{
		{nil, "<nil>"},
		{[]error{nil, nil}, "<nil>"},
		{[]error{nil, full}, "disk full"},
		{[]error{full, full, nil}, "disk full"},
		{[]error{full, gone, full}, "disk full\npeer gone"},
		{[]error{errors.Join(full, gone), gone}, "disk full\npeer gone"},
		{[]error{full, fmt.Errorf("close: %w", full)}, "disk full\nclose: disk full"},
	} {
		got := join(c.errs...)
		if fmt.Sprint(got) != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		for _, err := range c.errs {
			if err != nil && !errors.Is(got, err) && err.Error() == full.Error() {
				t.Errorf("%v is not %v any more", got, err)
			}
		}
	}
}

// A sink that can no longer write says so at every call; the job says it once.
func TestSinkThatStaysBroken(t *testing.T) {
	broken := errors.New("disk full")
	for _, s := range shapes {
		out := &lines{write: func(*vector.Batch) error { return broken }, close: broken}
		j, err := New(windowed(s.tasks, out, random(1, 500, 50, 2, 5)), s.options())
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Run(context.Background()); err != broken {
			t.Errorf("%s: error %v", s, err)
		}
	}
}
