package statements

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// kindOf is what Confluent Cloud calls a statement, and whether it makes something of its own that is there when it has ended.
func kindOf(stmt language.Statement) (kind string, declares bool) {
	switch s := stmt.(type) {
	case *language.YQLStatement:
		return kindOfYQL(s.Statement)
	case *flowspec.Pipeline:
		return "PIPELINE", false
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

func kindOfYQL(stmt yql.Statement) (kind string, declares bool) {
	switch s := stmt.(type) {
	case *yql.QueryStatement:
		return "SELECT", false
	case *yql.Insert:
		return strings.ReplaceAll(string(s.Verb), " ", "_"), false
	case *yql.CreateStreamingQuery:
		return "CREATE_STREAMING_QUERY", true
	case *yql.AlterStreamingQuery:
		return "ALTER_STREAMING_QUERY", true
	case *yql.DropStreamingQuery:
		return "DROP_STREAMING_QUERY", true
	case *yql.CreateTable:
		return "CREATE_TABLE", true
	case *yql.DropTable:
		return "DROP_TABLE", true
	case *yql.CreateTopic:
		return "CREATE_TOPIC", true
	case *yql.AlterTopic:
		return "ALTER_TOPIC", true
	case *yql.DropTopic:
		return "DROP_TOPIC", true
	case *yql.CreateExternalDataSource:
		return "CREATE_EXTERNAL_DATA_SOURCE", true
	case *yql.DropExternalDataSource:
		return "DROP_EXTERNAL_DATA_SOURCE", true
	case *yql.Explain:
		return "EXPLAIN", false
	case *yql.Commit:
		return "COMMIT", false
	case *yql.Pragma, *yql.Assign, *yql.Declare:
		return "DEFINE", false
	}
	panic(fmt.Sprintf("tidemark bug: statement %T is not known", stmt))
}
