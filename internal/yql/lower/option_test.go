package lower_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/yql"
)

// TestOptionsAreKnown has every key that people are told of read behind a topic, and no other.
func TestOptionsAreKnown(t *testing.T) {
	for _, key := range slices.Concat(yql.UsualOptions, yql.RareOptions, []string{"NO_SUCH_KEY"}) {
		_, err := lowered(t, "INSERT INTO Output SELECT * FROM Input WITH ("+key+" = 5)")
		unknown := err != nil && strings.Contains(err.Error(), "a topic has no option")
		if unknown != (key == "NO_SUCH_KEY") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
