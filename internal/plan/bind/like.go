package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// The strategies and features of LIKE.
const (
	including   = "INCLUDING"
	excluding   = "EXCLUDING"
	overwriting = "OVERWRITING"

	likeConstraints  = "CONSTRAINTS"
	likeDistribution = "DISTRIBUTION"
	likeGenerated    = "GENERATED"
	likeMetadata     = "METADATA"
	likeOptions      = "OPTIONS"
	likePartitions   = "PARTITIONS"
	likeWatermarks   = "WATERMARKS"
)

// likeTable merges the declaration of another table into d. Flink 2.3: everything is included, options are overwritten; columns of the other table come
// first.
func (b *Binder) likeTable(l *sql.LikeTable, d catalog.Declaration) (catalog.Declaration, error) {
	found, err := b.Relation(l.Table)
	if err != nil {
		return d, err
	}
	t, ok := found.(*catalog.Table)
	if !ok {
		return d, b.errorf(codeLike, l.Table.Span(), "write CREATE TABLE … AS SELECT * FROM "+found.Full().Name, "'%s' is a view, and LIKE takes a table", found.Full().Name)
	}
	how, err := b.likeStrategies(l)
	if err != nil {
		return d, err
	}
	m := likeMerge{b: b, how: how, base: t.Declared, out: d}
	for _, step := range []func() error{m.columns, m.watermark, m.primaryKey, m.distribution, m.options} {
		if err := step(); err != nil {
			return d, err
		}
	}
	return m.out, nil
}

// likeStrategies says for every feature what becomes of it.
func (b *Binder) likeStrategies(l *sql.LikeTable) (map[string]string, error) {
	how := map[string]string{likeConstraints: including, likeDistribution: including, likeGenerated: including, likeMetadata: including, likeOptions: overwriting,
		likePartitions: including, likeWatermarks: including}
	var seen []string
	for _, o := range l.Options {
		if slices.Contains(seen, o.Feature) {
			return nil, b.errorf(codeLike, o.Span(), "name it once", "LIKE says twice what becomes of %s", o.Feature)
		}
		seen = append(seen, o.Feature)
		if o.Strategy == overwriting && slices.Contains([]string{"ALL", likeConstraints, likeDistribution, likePartitions}, o.Feature) {
			return nil, b.errorf(codeLike, o.Span(), "write EXCLUDING "+o.Feature+" and what the new table has instead", "%s cannot be overwritten", o.Feature)
		}
		if o.Feature == "ALL" {
			for f := range how {
				how[f] = o.Strategy
			}
			if o.Strategy == including {
				how[likeOptions] = overwriting
			}
		}
	}
	for _, o := range l.Options {
		if o.Feature != "ALL" {
			how[o.Feature] = o.Strategy
		}
	}
	return how, nil
}

// likeMerge merges base into out.
type likeMerge struct {
	b         *Binder
	how       map[string]string
	base, out catalog.Declaration
}

func (m *likeMerge) columns() error {
	own := m.out.Columns
	m.out.Columns = nil
	for _, c := range m.base.Columns {
		if m.how[columnFeature(c.Part.Kind)] != excluding {
			m.out.Columns = append(m.out.Columns, c)
		}
	}
	for _, c := range own {
		name := c.Part.Name.Last().Name
		i := m.out.Column(name)
		if i < 0 {
			m.out.Columns = append(m.out.Columns, c)
			continue
		}
		feature := columnFeature(c.Part.Kind)
		if there := m.out.Columns[i].Part.Kind; feature == "" || there != c.Part.Kind {
			return m.b.errorf(codeLike, c.Part.Span(), "give it another name; a column of the data is always taken over", "column '%s' is in the table that LIKE names", name)
		}
		if m.how[feature] != overwriting {
			return m.b.errorf(codeLike, c.Part.Span(), "write OVERWRITING "+feature+" or EXCLUDING "+feature+" in LIKE", "column '%s' is in the table that LIKE names", name)
		}
		m.out.Columns[i] = c
	}
	return nil
}

// columnFeature is the word of LIKE for a kind of column, "" for physical ones, which are always taken over.
func columnFeature(k sql.ColumnKind) string {
	switch k {
	case sql.ComputedColumn:
		return likeGenerated
	case sql.MetadataColumn:
		return likeMetadata
	}
	return ""
}

func (m *likeMerge) watermark() error {
	switch {
	case m.base.Watermark == nil || m.how[likeWatermarks] == excluding:
	case m.out.Watermark == nil:
		m.out.Watermark = m.base.Watermark
	case m.how[likeWatermarks] == including:
		return m.b.errorf(codeLike, m.out.Watermark.Part.Span(), "write OVERWRITING WATERMARKS or EXCLUDING WATERMARKS in LIKE", "the table that LIKE names has a watermark already")
	}
	return nil
}

func (m *likeMerge) primaryKey() error {
	switch {
	case m.base.PrimaryKey == nil || m.how[likeConstraints] == excluding:
	case m.out.PrimaryKey == nil:
		m.out.PrimaryKey = m.base.PrimaryKey
	default:
		return m.b.errorf(codeLike, m.out.PrimaryKey.Part.Span(), "write EXCLUDING CONSTRAINTS in LIKE", "the table that LIKE names has a primary key already")
	}
	return nil
}

func (m *likeMerge) distribution() error {
	switch {
	case m.base.Distributed == nil || m.how[likeDistribution] == excluding:
	case m.out.Distributed == nil:
		m.out.Distributed = m.base.Distributed
	default:
		return m.b.errorf(codeLike, m.out.Distributed.Part.Span(), "write EXCLUDING DISTRIBUTION in LIKE", "the table that LIKE names has a distribution already")
	}
	return nil
}

func (m *likeMerge) options() error {
	if m.how[likeOptions] == excluding {
		return nil
	}
	own := m.out.Options
	m.out.Options = slices.Clone(m.base.Options)
	for _, o := range own {
		i := m.out.Option(o.Part.Key.Value)
		if i < 0 {
			m.out.Options = append(m.out.Options, o)
			continue
		}
		if m.how[likeOptions] == including {
			return m.b.errorf(codeLike, o.Part.Span(), "write OVERWRITING OPTIONS or EXCLUDING OPTIONS in LIKE", "the table that LIKE names has option '%s' already", o.Part.Key.Value)
		}
		m.out.Options[i] = o
	}
	return nil
}
