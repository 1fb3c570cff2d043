package plan

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Level is a place that gives a table options. The first of several levels that has an option decides.
type Level struct {
	// Origin names the level in EXPLAIN: "OPTIONS", "WITH".
	Origin  string
	Options connector.Options
	// Spelled has the names of options that are called something else there.
	Spelled map[string]string
	// Program is what ProgramLevel was made of, nil for the others.
	Program *watermark.Strategy
}

// origin tells where the option key comes from.
func (l *Level) origin(key string) string {
	if l.Program != nil {
		return l.Origin
	}
	if name, ok := l.Spelled[key]; ok {
		key = name
	}
	return l.Origin + " '" + key + "'"
}
