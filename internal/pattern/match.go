package pattern

import "slices"

// Node is a stretch of rows of a match that are one variable, with the stretches before it. It ends in front of the next one, or with the match, so matches that are read alike share it,
// however far each of them goes on. Nothing in a Node changes.
type Node struct {
	Prev     *Node // nil: the first stretch
	From     int64 // the number of its first row
	Variable uint8
}

// Match is a sequence of rows of a partition, each of which is a variable; a partial match too. The zero value has no row. It is good until the caller gives its rows other numbers.
type Match struct {
	last *Node
	end  int64   // the number of the last row
	rows []int32 // of the partition, the caller's
	seq  int64   // the number of the first of them
}

func (m Match) row(seq int64) int32 { return m.rows[seq-m.seq] }

// Last is the last row.
func (m Match) Last() int32 { return m.row(m.end) }

// with is m and the row behind it, as variable.
func (m Match) with(variable int) Match {
	m.end++
	m.last = extend(m.last, variable, m.end)
	return m
}

// extend is the stretches of a match to which row seq is added as variable.
func extend(last *Node, variable int, seq int64) *Node {
	if last != nil && int(last.Variable) == variable {
		return last
	}
	return &Node{Prev: last, From: seq, Variable: uint8(variable)}
}

// Any stands for all variables.
const Any = -1

// FromLast is the row that comes offset rows before the last that is variable, or any; ok is false if there is none.
func (m Match) FromLast(variable, offset int) (row int32, ok bool) {
	left, end := int64(offset), m.end
	for n := m.last; n != nil; n, end = n.Prev, n.From-1 {
		if variable != Any && int(n.Variable) != variable {
			continue
		}
		if at := end - left; at >= n.From {
			return m.row(at), true
		}
		left -= end - n.From + 1
	}
	return 0, false
}

// FromFirst is the row that comes offset rows behind the first that is variable, or any; ok is false if there is none.
func (m Match) FromFirst(variable, offset int) (row int32, ok bool) {
	left := int64(offset)
	for n, end := range m.stretches {
		if variable != Any && int(n.Variable) != variable {
			continue
		}
		if at := n.From + left; at <= end {
			return m.row(at), true
		}
		left -= end - n.From + 1
	}
	return 0, false
}

// Rows gives each row with its variable, the first in front.
func (m Match) Rows(yield func(row int32, variable int) bool) {
	for n, end := range m.stretches {
		for seq := n.From; seq <= end; seq++ {
			if !yield(m.row(seq), int(n.Variable)) {
				return
			}
		}
	}
}

// stretches gives each stretch with the number of its last row, the first in front.
func (m Match) stretches(yield func(n *Node, end int64) bool) {
	var few [8]*Node
	all := few[:0]
	for n := m.last; n != nil; n = n.Prev {
		all = append(all, n)
	}
	for i, n := range slices.Backward(all) {
		end := m.end
		if i > 0 {
			end = all[i-1].From - 1
		}
		if !yield(n, end) {
			return
		}
	}
}
