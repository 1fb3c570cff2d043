package function

import "github.com/tidemark-sql/tidemark/internal/vector"

// perRow makes for a call what gives the compiled form of an argument of each row: a pattern, a path.
type perRow[T any] func(c *Call) func(i int) (T, error)

// prepare compiles argument arg: at once if it is constant, else each value once for a batch. There an error for which
// forgive holds gives the zero T, another is one of its row.
func prepare[T any](arg int, compile func(string) (T, error), forgive func(error) bool, constants []*vector.Vector) (perRow[T], error) {
	if constant := constants[arg]; constant != nil && !constant.IsNullConst() {
		value, err := compile(string(constant.Bytes(0)))
		if err != nil {
			return nil, err
		}
		return known(value), nil
	}
	return func(c *Call) func(i int) (T, error) {
		seen := map[string]T{}
		return func(i int) (T, error) {
			text := c.Args[arg].Bytes(i)
			if value, ok := seen[string(text)]; ok {
				return value, nil
			}
			value, err := compile(string(text))
			if err != nil && !forgive(err) {
				return value, &RowError{Row: i, Err: err}
			}
			seen[string(text)] = value
			return value, nil
		}
	}, nil
}

// known is one value for all rows.
func known[T any](value T) perRow[T] {
	return func(*Call) func(int) (T, error) {
		return func(int) (T, error) { return value, nil }
	}
}
