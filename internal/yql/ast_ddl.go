package yql

// CreateTable is CREATE TABLE [IF NOT EXISTS] name (columns, PRIMARY KEY (…)) [PARTITION BY HASH (…)] [WITH (…)].
type CreateTable struct {
	Located
	IfNotExists bool
	Name        Name
	Columns     []ColumnDef
	PrimaryKey  []Ident // nil unless written
	PartitionBy []Ident // nil unless written
	Settings    []Setting
}

// ColumnDef is a column of CREATE TABLE.
type ColumnDef struct {
	Located
	Name    Ident
	Type    *TypeName
	NotNull bool
	Default Expr // nil unless written
}

// DropTable is DROP TABLE [IF EXISTS] name.
type DropTable struct {
	Located
	IfExists bool
	Name     Name
}

// CreateTopic is CREATE TOPIC [IF NOT EXISTS] name [(CONSUMER name, …)] [WITH (…)].
type CreateTopic struct {
	Located
	IfNotExists bool
	Name        Name
	Consumers   []Consumer
	Settings    []Setting
}

// Consumer is a consumer of a topic with its settings.
type Consumer struct {
	Located
	Name     Ident
	Settings []Setting
}

// AlterTopic is ALTER TOPIC [IF EXISTS] name action, …
type AlterTopic struct {
	Located
	IfExists bool
	Name     Name
	Actions  []TopicAction
}

// TopicAction is one change of ALTER TOPIC.
type TopicAction struct {
	Located
	Kind TopicActionKind
	// Consumer is that of the actions on consumers, else nil.
	Consumer *Ident
	// Settings are those of SET and of ADD CONSUMER.
	Settings []Setting
	// Reset are the keys of RESET.
	Reset []Ident
}

// TopicActionKind says what a TopicAction does.
type TopicActionKind string

// The kinds of topic actions.
const (
	AddConsumer  TopicActionKind = "ADD CONSUMER"
	DropConsumer TopicActionKind = "DROP CONSUMER"
	SetConsumer  TopicActionKind = "ALTER CONSUMER"
	SetTopic     TopicActionKind = "SET"
	ResetTopic   TopicActionKind = "RESET"
)

// DropTopic is DROP TOPIC [IF EXISTS] name.
type DropTopic struct {
	Located
	IfExists bool
	Name     Name
}

// CreateExternalDataSource is CREATE [OR REPLACE] EXTERNAL DATA SOURCE [IF NOT EXISTS] name WITH (…).
type CreateExternalDataSource struct {
	Located
	OrReplace, IfNotExists bool
	Name                   Name
	Settings               []Setting
}

// DropExternalDataSource is DROP EXTERNAL DATA SOURCE [IF EXISTS] name.
type DropExternalDataSource struct {
	Located
	IfExists bool
	Name     Name
}

func (*CreateTable) statement()              {}
func (*DropTable) statement()                {}
func (*CreateTopic) statement()              {}
func (*AlterTopic) statement()               {}
func (*DropTopic) statement()                {}
func (*CreateExternalDataSource) statement() {}
func (*DropExternalDataSource) statement()   {}
