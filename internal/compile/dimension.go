package compile

import (
	"encoding/binary"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// dividingIntake is an intake that also numbers the values of a dimension.
type dividingIntake struct {
	intake
	dimension []expr.Expr
	numbers   map[string]int32
	names     []string
	key       []byte
	found     []int32
}

func newDividingIntake(in intake, dimension []expr.Expr) *dividingIntake {
	i := &dividingIntake{intake: in, dimension: dimension, numbers: map[string]int32{}}
	i.intake.divide = i.divide
	return i
}

// divide numbers the values of the rows of b, which the next batch that Prepare gives away has.
func (i *dividingIntake) divide(b *vector.Batch) error {
	cols, err := operator.Evaluate(i.dimension, b, i.env)
	if err != nil {
		return err
	}
	i.found = b.Arena.Sel(b.N)
	for row := range i.found {
		i.found[row] = i.number(cols, row)
	}
	return nil
}

// Values implements runtime.Dividing.
func (i *dividingIntake) Values() []int32 { return i.found }

// ValueName implements runtime.Dividing.
func (i *dividingIntake) ValueName(number int32) string { return i.names[number] }

// number is that of the value of a row.
func (i *dividingIntake) number(cols []*vector.Vector, row int) int32 {
	key := i.keyOf(cols, row)
	if n, ok := i.numbers[string(key)]; ok {
		return n
	}
	n := int32(len(i.names))
	texts := make([]*string, len(cols))
	for k, c := range cols {
		if !c.IsNull(row) {
			text := string(c.Bytes(row))
			texts[k] = &text
		}
	}
	i.numbers[string(key)] = n
	i.names = append(i.names, plan.ValueName(texts))
	return n
}

// keyOf tells values apart: the text of one column as it is, else each text with its length, or NULL, one behind the other. It lives until the next call.
func (i *dividingIntake) keyOf(cols []*vector.Vector, row int) []byte {
	if len(cols) == 1 && !cols[0].IsNull(row) {
		if text := cols[0].Bytes(row); len(text) > 0 && text[0] != 0 {
			return text
		}
	}
	i.key = append(i.key[:0], 0)
	for _, c := range cols {
		if c.IsNull(row) {
			i.key = append(i.key, 0)
			continue
		}
		text := c.Bytes(row)
		i.key = binary.AppendUvarint(i.key, uint64(len(text))+1)
		i.key = append(i.key, text...)
	}
	return i.key
}
