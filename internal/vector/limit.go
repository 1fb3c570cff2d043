package vector

import (
	"errors"
	"fmt"
	"math"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// MaxValue is how many bytes one string, binary or nested value may have: as many as a line of input, and few enough that a handful of such values fit
// into memory. A function that makes much of little stops there.
const MaxValue = 64 << 20

// MaxBatch is how many bytes the strings of one batch may have, over all columns and intermediate results, so that thousands of rows do not each have MaxValue.
const MaxBatch = 256 << 20

// TooLarge is what stops a computation or a copy whose strings would take too much memory. It is a panic, not an ordinary error, because it can come
// of every copy of every column; functions make an error of it that names them, and package runtime stops the statement with it.
type TooLarge struct {
	// Row is the row of the batch that would have a value of more than MaxValue bytes; NoRow if the place is not known or MaxBatch is passed.
	Row   int
	limit int
}

// NoRow is the Row of a TooLarge that is not about one row.
const NoRow = -1

// Catch is deferred by whoever takes a *TooLarge as an error: it puts it into err.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *TooLarge:
		*err = r
	default:
		panic(r)
	}
}

// Together reports whether err is a *TooLarge that several rows have come to, so that a part of them may do.
func Together(err error) bool {
	large, ok := errors.AsType[*TooLarge](err)
	return ok && large.Row == NoRow
}

// Error says which limit was passed.
func (e *TooLarge) Error() string {
	if e.limit == MaxValue {
		return fmt.Sprintf("a value would have more than %d MB, the most that a string, binary or nested value may have", MaxValue>>20)
	}
	return fmt.Sprintf("the strings of one batch would take more than %d MB; make the values shorter", e.limit>>20)
}

// Fault is fault.Resource.
func (e *TooLarge) Fault() fault.Class { return fault.Resource }

// CheckValue panics with a *TooLarge if a value of row cannot have n bytes.
func CheckValue(row, n int) {
	if n > MaxValue {
		panic(&TooLarge{row, MaxValue})
	}
}

// CheckBytes panics with a *TooLarge if a View cannot point into a buffer of n bytes.
func CheckBytes(n int) {
	if n > math.MaxUint32 {
		panic(&TooLarge{NoRow, math.MaxUint32})
	}
}

// Charge counts n bytes of strings, of a or of memory that lives as long, against MaxBatch, or another limit of a, and panics with a *TooLarge if that is passed.
func (a *Arena) Charge(n int) {
	a.charged += n
	if a.charged > a.limit {
		panic(&TooLarge{NoRow, a.limit})
	}
}

// Charged is how many bytes were charged since the last Release.
func (a *Arena) Charged() int { return a.charged }

// ForState says that a holds the state of an operator rather than a batch, and so as much as it must.
func (a *Arena) ForState() { a.limit = math.MaxInt }

// Unbounded runs build, which may charge as much as it must. If that was more than MaxBatch, a is not to go on as the memory of a batch: see Stretches.
func (a *Arena) Unbounded(build func()) {
	limit := a.limit
	a.limit = math.MaxInt
	defer func() { a.limit = limit }()
	build()
}

// Within runs build, which fills memory of a, and reports false if it charges more than n bytes in all: then a is to be released, and fewer rows to be tried.
func (a *Arena) Within(n int, build func()) (ok bool) {
	limit := a.limit
	a.limit = n
	defer func() {
		a.limit = limit
		switch r := recover().(type) {
		case nil:
		case *TooLarge:
			ok = false
		default:
			panic(r)
		}
	}()
	build()
	return true
}
