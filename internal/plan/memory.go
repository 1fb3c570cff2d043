package plan

import "fmt"

// Memory is the limit of the memory for state, and who said so.
type Memory struct {
	Bytes  int64 // 0: none
	Origin string
}

// spills reports whether n keeps state that a limit of memory is about, and whether what is beyond the limit goes to the disk; what does not stays in memory, however much it is.
func spills(n Node) (stateful, toDisk bool) {
	switch n := n.(type) {
	case *GroupAggregate, *WindowAggregate:
		return true, true
	case *Limit:
		return !n.Passes(), false
	case *Over, *TopN, *WindowTopN, *Normalize, *SetOperation, *Join, *TemporalJoin, *TableJoin, *KeyWindows, *Match, *AtEnd, *Sort, *Process, *Deduplicate:
		return true, false
	}
	return false, false
}

// of tells what happens to the state of n beyond a limit; "" if it has none.
func (m Memory) of(n Node) string {
	stateful, toDisk := spills(n)
	switch {
	case m.Bytes == 0 || !stateful:
		return ""
	case toDisk:
		return fmt.Sprintf("    %-18s %-28s (%s)\n", "memory", sizeText(m.Bytes)+", the rest on disk", m.Origin)
	}
	return fmt.Sprintf("    %-18s %s\n", "memory", "all of it, whatever the limit: it does not go to the disk")
}

// sizeText is a number of bytes in the largest unit that is exact.
func sizeText(n int64) string {
	units := []string{"B", "KB", "MB", "GB", "TB"}
	i := 0
	for ; n >= 1024 && n%1024 == 0 && i+1 < len(units); i++ {
		n /= 1024
	}
	return fmt.Sprintf("%d %s", n, units[i])
}
