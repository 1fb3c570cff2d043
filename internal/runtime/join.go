package runtime

import (
	"errors"
	"slices"
	"strings"
)

// join is errors.Join without those that say nothing new, as the Close of a sink whose Write has failed says the same again. Of one error it is
// that error.
func join(errs ...error) error {
	var kept []error
	var said []string
	for _, err := range errs {
		if err == nil {
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if !slices.ContainsFunc(lines, func(l string) bool { return !slices.Contains(said, l) }) {
			continue
		}
		kept, said = append(kept, err), append(said, lines...)
	}
	if len(kept) == 1 {
		return kept[0]
	}
	return errors.Join(kept...)
}
