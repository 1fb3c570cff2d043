package watermark

// minTree is a tournament tree: it keeps the least of n frontiers. Absent members are Final, members that block are Unset.
type minTree struct {
	leaves int        // a power of two
	node   []Frontier // node[1] is the root, the children of k are 2k and 2k+1, member i is node[leaves+i]
}

// grow makes room for n members; new ones are absent.
func (t *minTree) grow(n int) {
	if n <= t.leaves {
		return
	}
	old, oldLeaves := t.node, t.leaves
	t.leaves = max(1, t.leaves)
	for t.leaves < n {
		t.leaves *= 2
	}
	t.node = make([]Frontier, 2*t.leaves)
	for i := range t.leaves {
		f := Final
		if i < oldLeaves {
			f = old[oldLeaves+i]
		}
		t.node[t.leaves+i] = f
	}
	t.build()
}

// put sets member i before the tree is built anew.
func (t *minTree) put(i int, f Frontier) { t.node[t.leaves+i] = f }

func (t *minTree) build() {
	for k := t.leaves - 1; k > 0; k-- {
		t.node[k] = min(t.node[2*k], t.node[2*k+1])
	}
}

func (t *minTree) min() Frontier { return t.node[1] }

// set changes member i. It stops climbing where nothing changes, which for a rising member is after two levels on average.
func (t *minTree) set(i int, f Frontier) {
	k := t.leaves + i
	if t.node[k] == f {
		return
	}
	t.node[k] = f
	for k > 1 {
		f = min(f, t.node[k^1])
		k /= 2
		if t.node[k] == f {
			return
		}
		t.node[k] = f
	}
}

// holds reports whether member i is least.
func (t *minTree) holds(i int) bool { return t.node[t.leaves+i] == t.node[1] }

// at is what the tree holds for member i.
func (t *minTree) at(i int) Frontier { return t.node[t.leaves+i] }

// holder is the first of the least members.
func (t *minTree) holder() int {
	k, least := 1, t.node[1]
	for k < t.leaves {
		right := 0 // becomes a conditional set: no branch to guess
		if t.node[2*k] != least {
			right = 1
		}
		k = 2*k + right
	}
	return k - t.leaves
}
