package flowspec

import "github.com/tidemark-sql/tidemark/internal/sql/source"

// Kind is the shape of a Node.
type Kind uint8

// The kinds. Null is what stands for nothing: null, # in YSON.
const (
	Null Kind = iota
	String
	Number
	Bool
	List
	Map
)

var kindNames = [...]string{Null: "nothing", String: "a text", Number: "a number", Bool: "true or false", List: "a list", Map: "a map"}

// String names the kind for people.
func (k Kind) String() string { return kindNames[k] }

// Node is a value of a spec, whatever notation it is written in.
type Node struct {
	Kind Kind
	// Text is that of a String, a Number or a Bool ("true", "false").
	Text string
	// Span is where the value stands; of a map or a list where it begins.
	Span source.Span
	// Verbatim says that Text stands in the spec as it is, but for what begins its lines: at Span without quotes.
	Verbatim bool
	Entries  []Entry
	Items    []*Node
}

// Entry is a member of a map.
type Entry struct {
	Key   Word
	Value *Node
}

// Word is a text with its place.
type Word struct {
	Text string
	At   source.Span
}

// Get is the value of a member, nil if there is none.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Text == key {
			return e.Value
		}
	}
	return nil
}

// Word is the text of a scalar with its place.
func (n *Node) Word() Word { return Word{n.Text, n.Span} }
