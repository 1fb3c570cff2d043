package operator

import "github.com/tidemark-sql/tidemark/internal/dataflow"

// placer gives rows that leave, by time and then by key group, a place each.
type placer struct{ last dataflow.Order }

func (p *placer) next(time int64, group uint32) dataflow.Order {
	place := dataflow.Order{Row: uint64(time) ^ 1<<63}
	place.Sub[0] = group
	if place.Row == p.last.Row && group == p.last.Sub[0] {
		place.Sub[1] = p.last.Sub[1] + 1
	}
	p.last = place
	return place
}
