package plan

import "github.com/tidemark-sql/tidemark/watermark"

// LateSuffix makes the name of the late rows of a table from that of the table. Confluent Cloud: `t$late`.
const LateSuffix = "$late"

// Name is what the scan reads, as statements name it.
func (n *Scan) Name() string {
	if n.Late == watermark.OnlyLate {
		return n.Table.Name + LateSuffix
	}
	return n.Table.Name
}
