package server

import (
	"net/http"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/secret"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// shown is a statement as clients see it, without secrets.
func shown(q *http.Request, x statements.Statement) api.Statement {
	return api.Statement{
		APIVersion:     api.Version,
		Kind:           api.KindStatement,
		Name:           x.Name,
		OrganizationID: x.Organization,
		EnvironmentID:  x.Environment,
		Metadata: api.Metadata{
			Self: address(q, "/sql/v1/organizations/"+x.Organization+"/environments/"+x.Environment+"/statements/"+x.Name, nil),
			UID:  x.UID, CreatedAt: instant(x.Created), UpdatedAt: instant(x.Updated),
			ResourceVersion: strconv.FormatInt(x.Version, 10), Labels: x.Labels,
		},
		Spec: api.Spec{Statement: secret.Blank(x.SQL), Properties: hidden(x.Properties), ComputePoolID: x.Pool, Principal: x.Principal, Stopped: x.Spec.Stopped},
		Status: api.Status{
			Phase: string(x.Phase), Detail: x.Detail, Warnings: warnings(x.Warnings), Traits: traits(x.Traits),
		},
	}
}

func hidden(properties map[string]string) map[string]string {
	all := map[string]string{}
	for key, value := range properties {
		all[key] = secret.Shown(key, value)
	}
	return all
}

func warnings(all []statements.Warning) []api.Warning {
	var out []api.Warning
	for _, w := range all {
		out = append(out, api.Warning{Severity: string(w.Severity), CreatedAt: instant(w.At), Reason: w.Reason, Message: w.Message})
	}
	return out
}

func traits(t *statements.Traits) *api.Traits {
	if t == nil {
		return nil
	}
	out := &api.Traits{SQLKind: t.Kind, IsBounded: t.Bounded, IsAppendOnly: t.AppendOnly}
	if t.Schema != nil {
		out.Schema = &api.Schema{Columns: []api.Column{}}
		for _, f := range t.Schema {
			out.Schema.Columns = append(out.Schema.Columns, api.Column{Name: f.Name, Type: typeOf(f.Type)})
		}
	}
	return out
}

var typeNames = [types.Kinds]string{types.Null: "NULL", types.Boolean: "BOOLEAN", types.TinyInt: "TINYINT", types.SmallInt: "SMALLINT", types.Int: "INTEGER", types.BigInt: "BIGINT",
	types.Decimal: "DECIMAL", types.Float: "FLOAT", types.Double: "DOUBLE", types.Char: "CHAR", types.String: "VARCHAR", types.Binary: "BINARY", types.VarBinary: "VARBINARY",
	types.Date: "DATE", types.Time: "TIME_WITHOUT_TIME_ZONE", types.Timestamp: "TIMESTAMP_WITHOUT_TIME_ZONE", types.TimestampLTZ: "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
	types.IntervalDay: "INTERVAL_DAY_TIME", types.IntervalMonth: "INTERVAL_YEAR_MONTH", types.Array: "ARRAY", types.Map: "MAP", types.Multiset: "MULTISET", types.Row: "ROW"}

// unlimited is the length of a STRING or BYTES: Flink's greatest.
const unlimited = 1<<31 - 1

func typeOf(t types.Type) api.Type {
	out := api.Type{Type: typeNames[t.Kind], Nullable: !t.NotNull}
	number := func(n int) *int { return &n }
	switch t.Kind {
	case types.Decimal:
		out.Precision, out.Scale = number(int(t.Precision)), number(int(t.Scale))
	case types.Char, types.String, types.Binary, types.VarBinary:
		if out.Length = number(int(t.Length)); t.Length == 0 {
			*out.Length = unlimited
		}
	case types.Time, types.Timestamp, types.TimestampLTZ:
		out.Precision = number(int(t.Precision))
	case types.IntervalDay:
		out.Precision, out.FractionalPrecision, out.Resolution = number(6), number(6), "DAY_TO_SECOND"
	case types.IntervalMonth:
		out.Precision, out.Resolution = number(4), "YEAR_TO_MONTH"
	case types.Array, types.Multiset:
		elem := typeOf(t.Elem())
		out.ElementType = &elem
	case types.Map:
		key, value := typeOf(t.Key()), typeOf(t.Elem())
		out.KeyType, out.ValueType = &key, &value
	case types.Row:
		for _, f := range t.Fields() {
			out.Fields = append(out.Fields, api.Field{Name: f.Name, FieldType: typeOf(f.Type)})
		}
	}
	return out
}
