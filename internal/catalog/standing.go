package catalog

import (
	"maps"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Standing is a query that is kept under a name, and runs until somebody says that it is not to. It is in the database beside tables and views.
type Standing struct {
	Path
	// Text is the text that it was last given in, Given the statement there that did so, and Body the place of its statements.
	Text        source.Text
	Given, Body source.Span
	// Run says that it is to run.
	Run bool
	// Settings are what it was given beside, by upper-case keys.
	Settings map[string]string
}

// Statements is the text of its statements as it was written.
func (q *Standing) Statements() string { return q.Text.Slice(q.Body) }

// Standing finds a standing query.
func (s *Session) Standing(p Path) (*Standing, bool) {
	d := s.database(p)
	if d == nil {
		return nil, false
	}
	q, ok := d.standing[p.Name]
	return q, ok
}

// PutStanding adds a standing query, in place of one of the same name. Its database must be there.
func (s *Session) PutStanding(q *Standing) {
	d := s.database(q.Path)
	if d.standing == nil {
		d.standing = map[string]*Standing{}
	}
	d.standing[q.Name] = q
}

// DropStanding removes a standing query.
func (s *Session) DropStanding(q *Standing) { delete(s.database(q.Path).standing, q.Name) }

// AllStanding lists all standing queries of the session, by path.
func (s *Session) AllStanding() []*Standing {
	var all []*Standing
	for _, c := range s.Catalogs() {
		for _, d := range s.catalogs[c].Databases() {
			in := s.catalogs[c].databases[d].standing
			for _, name := range slices.Sorted(maps.Keys(in)) {
				all = append(all, in[name])
			}
		}
	}
	return all
}
