package flowspec

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestWording: what is said of values that a column does not take names types that a spec can have, and none of them twice.
func TestWording(t *testing.T) {
	kinds := []types.FoundKind{types.FoundNothing, types.FoundInteger, types.FoundFraction, types.FoundBoolean, types.FoundText, types.FoundList, types.FoundObject}
	for name, of := range simple {
		w := wording{of: of, name: name}
		for _, kind := range kinds {
			if of.Kind == types.Boolean && kind == types.FoundBoolean {
				continue // it is taken
			}
			advice := w.Advice("a", types.Found{Kind: kind, Text: "1"})
			_, to, found := strings.Cut(advice, "declare it ")
			to, _, _ = strings.Cut(to, ",")
			to, _, _ = strings.Cut(to, " or ")
			if _, known := simple[to]; found && (!known || to == name && kind != types.FoundList && kind != types.FoundObject) {
				t.Errorf("%s, and a value of kind %d: %q", name, kind, advice)
			}
		}
	}
	pair := nested(types.NullType, "dict", wording{name: "string"}, nested(types.NullType, "list", wording{name: "uint8"}))
	if got := pair.String() + "; " + pair.Part(0).String() + "; " + pair.Part(1).Part(0).String(); got != "dict<string, list<uint8>>; string; uint8" {
		t.Errorf("parts are %s", got)
	}
	if pair.Part(2) != nil || types.Wording(pair) != types.Wording(nested(types.NullType, "dict", wording{name: "string"}, nested(types.NullType, "list", wording{name: "uint8"}))) {
		t.Error("wordings of one type differ, or have a part too many")
	}
}
