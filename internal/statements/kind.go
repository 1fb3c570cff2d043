package statements

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// kindOf is what Confluent Cloud calls a statement, and whether it makes something of its own that is there when it has ended.
func kindOf(stmt language.Statement) (kind string, declares bool) {
	switch s := stmt.(type) {
	case *sql.QueryStatement:
		return "SELECT", false
	case *sql.Insert:
		return "INSERT_INTO", false
	case *sql.StatementSet:
		return "STATEMENT_SET", false
	case *sql.CreateTable:
		if s.As != nil {
			return "CREATE_TABLE_AS", true
		}
		return "CREATE_TABLE", true
	case *sql.CreateView:
		return "CREATE_VIEW", true
	case *sql.CreateDatabase:
		return "CREATE_DATABASE", true
	case *sql.CreateCatalog:
		return "CREATE_CATALOG", true
	case *sql.Drop:
		return "DROP_" + string(s.Kind), true
	case *sql.AlterTable:
		return "ALTER_TABLE", true
	case *sql.AlterView:
		return "ALTER_VIEW", true
	case *sql.Explain:
		return "EXPLAIN", false
	case *sql.Show:
		return "SHOW", false
	case *sql.Describe:
		return "DESCRIBE", false
	case *sql.Set:
		return "SET", false
	case *sql.Reset:
		return "RESET", false
	case *sql.Use:
		return "USE", false
	}
	panic(fmt.Sprintf("tidemark bug: statement %T is not known", stmt))
}
