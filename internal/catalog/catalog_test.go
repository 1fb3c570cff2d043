package catalog

import (
	"reflect"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
)

func path(name string) Path { return Path{DefaultCatalog, DefaultDatabase, name} }

// TestRelations adds and drops tables and views, which share their names, and hides one by a temporary one.
func TestRelations(t *testing.T) {
	s := NewSession()
	a, b, temporary := &View{Path: path("a")}, &Table{Path: path("b")}, &Table{Path: path("a"), Temporary: true}
	for _, r := range []Relation{a, b, &Table{Path: path("B")}} {
		s.Put(r)
	}
	names := func() []string {
		c, _ := s.Catalog(DefaultCatalog)
		d, _ := c.Database(DefaultDatabase)
		return d.Names()
	}
	if got, want := names(), []string{"B", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	found := func(name string) Relation { r, _ := s.Find(path(name)); return r }
	if found("a") != Relation(a) || found("c") != nil {
		t.Error("Find is wrong")
	}
	s.Put(temporary)
	if found("a") != Relation(temporary) || len(s.Views()) != 0 {
		t.Error("a temporary table hides no view")
	}
	s.Drop(temporary)
	if found("a") != Relation(a) || len(s.Views()) != 1 {
		t.Error("what a temporary table hid is gone with it")
	}
	s.Drop(b)
	if got, want := names(), []string{"B", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDatabases makes catalogs and databases, uses them and drops them.
func TestDatabases(t *testing.T) {
	s := NewSession()
	if got, want := s.Current(), (Current{DefaultCatalog, DefaultDatabase}); got != want {
		t.Errorf("a session begins in %v, want %v", got, want)
	}
	s.AddCatalog("shop", "", "main")
	s.AddDatabase("shop", "old", "")
	s.Put(&Table{Path: Path{"shop", "old", "t"}})
	if r, ok := s.Find(Path{"shop", "old", "t"}); !ok || r.Full().String() != "`shop`.`old`.`t`" {
		t.Error("the table is not where it was put")
	}
	s.Use(Current{"shop", "old"})
	if err := s.Reset(""); err != nil || s.Current() != (Current{"shop", "old"}) {
		t.Errorf("RESET takes back USE, or fails: %v", err)
	}
	for _, key := range []string{KeyCatalog, KeyDatabase} {
		if err := s.Set(key, "nowhere"); err == nil {
			t.Errorf("%s can be what is not there", key)
		}
	}
	if err := s.Set(KeyDatabase, "main"); err != nil || s.Current() != (Current{"shop", "main"}) {
		t.Errorf("SET does not choose a database: %v", err)
	}
	s.DropDatabase("shop", "old")
	if _, ok := s.Find(Path{"shop", "old", "t"}); ok {
		t.Error("a table is left of a database that was dropped")
	}
	s.DropCatalog("shop")
	if got, want := s.Catalogs(), []string{DefaultCatalog}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestStored tells what a connector learns of a table that it reads, and of one that it writes.
// TestIdentify: a catalog has the id of an environment beside its name, for all sessions, and shows it in those of the environment.
func TestIdentify(t *testing.T) {
	s := NewSession()
	in := s.Fork()
	in.Identify("env-1")
	in.Identify("")
	for _, x := range []*Session{s, in, s.Fork(), in.Copy()} {
		for _, name := range []string{DefaultCatalog, "env-1"} {
			if c, ok := x.Catalog(name); !ok || c.Name != DefaultCatalog {
				t.Errorf("%s is %v, %t", name, c, ok)
			}
		}
		if _, ok := x.Catalog("env-2"); ok || !slices.Equal(x.Catalogs(), []string{DefaultCatalog}) {
			t.Errorf("catalogs are %q", x.Catalogs())
		}
	}
	if s.ID(DefaultCatalog) != DefaultCatalog || in.ID(DefaultCatalog) != "env-1" || in.ID("other") != "other" {
		t.Errorf("ids are %s, %s, %s", s.ID(DefaultCatalog), in.ID(DefaultCatalog), in.ID("other"))
	}
	if err := in.Set(KeyCatalog, "env-1"); err != nil || in.Current().Catalog != DefaultCatalog {
		t.Errorf("the current catalog is %s, %v", in.Current().Catalog, err)
	}
	in.AddCatalog("env-2", "", "d")
	s.Identify("env-2")
	if c, _ := s.Catalog("env-2"); c.Name != "env-2" {
		t.Error("an id hides a catalog of that name")
	}
	s.DropCatalog(DefaultCatalog)
	if _, ok := in.Catalog("env-1"); ok {
		t.Error("a catalog that is gone is found by its id")
	}
}

func TestStored(t *testing.T) {
	table := Table{Path: path("t"), PrimaryKey: []int{4, 1}, Distribution: &Distribution{Keys: []int{1}, Buckets: 3}, Columns: []Column{
		{Name: "twice", Type: types.IntType, Computed: expr.LiteralInt(types.IntType, 2)},
		{Name: "a", Type: types.IntType},
		{Name: "seen", Type: types.StringType, Metadata: &Metadata{Key: "part", Type: types.BigIntType, Virtual: true}},
		{Name: "at", Type: types.StringType, Metadata: &Metadata{Key: "timestamp", Type: types.TimestampLTZType}},
		{Name: "b", Type: types.StringType},
	}}
	read, columns := table.Read()
	if got, want := read.Schema.Names(), []string{"a", "seen", "at", "b"}; !slices.Equal(got, want) || !slices.Equal(columns, []int{1, 2, 3, 4}) {
		t.Errorf("is read as %v of %v, want %v", got, columns, want)
	}
	if want := []string{"", "part", "timestamp", ""}; !slices.Equal(read.Metadata, want) || read.Schema[1].Type != types.BigIntType {
		t.Errorf("metadata is %v of %v, want %v", read.Metadata, read.Schema, want)
	}
	if !slices.Equal(read.Keys, []int{3, 0}) || !read.Primary || read.Buckets != 3 {
		t.Errorf("keys are %v, primary %t, in %d buckets", read.Keys, read.Primary, read.Buckets)
	}
	written, columns := table.Written()
	if got, want := written.Schema.Names(), []string{"a", "at", "b"}; !slices.Equal(got, want) || !slices.Equal(columns, []int{1, 3, 4}) {
		t.Errorf("is written as %v of %v, want %v", got, columns, want)
	}
	if !slices.Equal(written.Keys, []int{2, 0}) {
		t.Errorf("keys are %v", written.Keys)
	}
	plain := Table{Columns: []Column{{Name: "a"}}, Distribution: &Distribution{Keys: []int{0}}}
	if got, _ := plain.Read(); got.Metadata != nil || got.Primary || !reflect.DeepEqual(got.Keys, []int{0}) {
		t.Errorf("got %+v", got)
	}
}
