package tokens

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestMaxTokens: the first token that is too many is a fault in its place, and none is added.
func TestMaxTokens(t *testing.T) {
	l := NewLexer(source.Text{Body: "a b"}, 0)
	l.Tokens = make([]Token, MaxTokens-1)
	l.Emit(Word, 1, "a")
	if l.Done() || len(l.Tokens) != MaxTokens {
		t.Fatalf("%d tokens, and the fault %v", len(l.Tokens), l.Fault)
	}
	l.Offset++
	l.Emit(Word, 1, "b")
	if len(l.Tokens) != MaxTokens || l.Fault == nil || l.Fault.Span != (source.Span{Start: 2, End: 3}) || !strings.Contains(l.Fault.Message, "more than 4000000 words and signs") {
		t.Fatalf("%d tokens, and the fault %v", len(l.Tokens), l.Fault)
	}
}
