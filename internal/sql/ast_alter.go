package sql

// AlterTable is ALTER TABLE name action.
type AlterTable struct {
	Located
	IfExists bool
	Name     Name
	Action   AlterAction
}

// AlterAction is what ALTER TABLE does: *AlterAdd, *AlterModify, *AlterDropColumns,
// *AlterDrop, *AlterSet, *AlterReset, *AlterRename or *AlterRenameColumn.
type AlterAction interface {
	Node
	alterAction()
}

// AlterAdd is ADD column, watermark, key or distribution; several stand in parentheses.
type AlterAdd struct {
	Located
	Schema      TableSchema
	Distributed *Distribution
}

// AlterModify is MODIFY of the same things.
type AlterModify struct {
	Located
	Schema      TableSchema
	Distributed *Distribution
}

// AlterDropColumns is DROP column or DROP (column, …).
type AlterDropColumns struct {
	Located
	Columns []Name
}

// AlterDrop is DROP WATERMARK, PRIMARY KEY, DISTRIBUTION or CONSTRAINT name.
type AlterDrop struct {
	Located
	Part TablePart
	// Constraint is set when Part is ConstraintPart.
	Constraint *Ident
}

// TablePart is a part of a table that ALTER TABLE can drop, by its keyword.
type TablePart string

// The parts.
const (
	WatermarkPart    TablePart = "WATERMARK"
	PrimaryKeyPart   TablePart = "PRIMARY KEY"
	DistributionPart TablePart = "DISTRIBUTION"
	ConstraintPart   TablePart = "CONSTRAINT"
)

// AlterSet is SET ('key' = 'value', …).
type AlterSet struct {
	Located
	Options []Option
}

// AlterReset is RESET ('key', …).
type AlterReset struct {
	Located
	Keys []StringLit
}

// AlterRename is RENAME TO name.
type AlterRename struct {
	Located
	To Name
}

// AlterRenameColumn is RENAME column TO name.
type AlterRenameColumn struct {
	Located
	From Name
	To   Ident
}

// AlterView is ALTER VIEW name RENAME TO name, or AS query; one of the two is set.
type AlterView struct {
	Located
	IfExists bool
	Name     Name
	To       *Name
	Query    Query
}

func (*AlterTable) statement() {}
func (*AlterView) statement()  {}

func (*AlterAdd) alterAction()          {}
func (*AlterModify) alterAction()       {}
func (*AlterDropColumns) alterAction()  {}
func (*AlterDrop) alterAction()         {}
func (*AlterSet) alterAction()          {}
func (*AlterReset) alterAction()        {}
func (*AlterRename) alterAction()       {}
func (*AlterRenameColumn) alterAction() {}
