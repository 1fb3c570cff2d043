package server

import (
	"net/http"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/rowfmt"
	"github.com/tidemark-sql/tidemark/internal/secret"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
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
			ResourceVersion: version(x), Labels: x.Labels,
		},
		Spec: api.Spec{Statement: secret.Blank(x.SQL), Properties: hidden(x.Properties), ComputePoolID: x.Pool, Principal: x.Principal, Stopped: x.Spec.Stopped},
		Status: api.Status{
			Phase: string(x.Phase), Detail: x.Detail, Warnings: warnings(x.Warnings), Traits: traits(x.Traits),
		},
	}
}

// version is what a client sends back who wants to change a statement only if nobody else has.
func version(x statements.Statement) string { return strconv.FormatInt(x.Version, 10) }

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
			out.Schema.Columns = append(out.Schema.Columns, api.Column{Name: f.Name, Type: rowfmt.TypeOf(f.Type)})
		}
	}
	return out
}
