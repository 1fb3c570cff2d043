package profile

import "github.com/tidemark-sql/tidemark/internal/server/api"

// streams are those of the statement that have names.
func (v *view) streams() (all []api.ProfileStream) {
	was := map[string]int64{}
	if v.before != nil {
		for _, s := range v.before.Stats.Streams() {
			was[s.Name] = s.Rows
		}
	}
	for _, s := range v.look.Stats.Streams() {
		all = append(all, api.ProfileStream{Name: s.Name, Mark: v.mark(s.Frontier, s.Instant), System: v.mark(s.System, true), Rows: v.counted(s.Rows, was[s.Name])})
	}
	return all
}

// groups are the alignment groups of its sources.
func (v *view) groups() (all []api.ProfileGroup) {
	for _, g := range v.look.Stats.Groups() {
		all = append(all, api.ProfileGroup{Name: g.Name, Mark: v.mark(g.Frontier, true), System: v.mark(g.System, true)})
	}
	return all
}
