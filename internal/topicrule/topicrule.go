// Package topicrule is what Apache Kafka asks of a topic, for those who say so before a broker does and for the broker that has to.
package topicrule

import (
	"fmt"
	"strings"
)

// MaxPartitions is how many partitions a topic can be made with. Apache Kafka 4.x: a request that makes more is refused.
const MaxPartitions = 10_000

// MaxName is how many characters the name of a topic has at most. With a partition's number it is the name of a folder.
const MaxName = 249

// Name tells why no topic can have the name, or "". Apache Kafka 4.x: letters and digits of ASCII, '.', '_' and '-'; at most MaxName of them; neither
// '.' nor '..'.
func Name(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case name == "." || name == "..":
		return "'" + name + "' is taken by folders"
	case len(name) > MaxName:
		return fmt.Sprintf("it has %d characters, and %d is the most", len(name), MaxName)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return !legal(r) }); i >= 0 {
		return fmt.Sprintf("it has %q in it", []rune(name[i:])[0])
	}
	return ""
}

func legal(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-'
}

// Collide reports whether two topics cannot both be there. Apache Kafka 4.x: names that differ only in '.' and '_' cannot, since metrics do not tell them apart.
func Collide(a, b string) bool {
	return a != b && strings.ReplaceAll(a, ".", "_") == strings.ReplaceAll(b, ".", "_")
}
