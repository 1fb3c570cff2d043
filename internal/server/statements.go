package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/secret"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/statements"
)

// properties are those of a request as SET takes them.
func properties(a *api.StatementRequest) (map[string]string, error) {
	all := map[string]string{}
	for key, value := range a.Spec.Properties {
		switch v := value.(type) {
		case string:
			all[key] = v
		case bool:
			all[key] = strconv.FormatBool(v)
		case float64:
			all[key] = strconv.FormatFloat(v, 'f', -1, 64)
		default:
			return nil, &failure{http.StatusBadRequest, "invalid_request", fmt.Sprintf("property '%s' has to be a string, a number or a boolean", key)}
		}
	}
	return all, nil
}

func (s *Server) create(q *http.Request) (int, any, error) {
	var a api.StatementRequest
	if err := read(q, &a); err != nil {
		return 0, nil, err
	}
	properties, err := properties(&a)
	if err != nil {
		return 0, nil, err
	}
	if q.PathValue("organization") == anywhere || q.PathValue("environment") == anywhere {
		return 0, nil, &failure{http.StatusBadRequest, "invalid_request", "a statement is made in one organization and environment, and - stands for all of them"}
	}
	made, err := s.options.Hub.Create(a.Name, statements.Spec{SQL: a.Spec.Statement, Properties: properties, Labels: a.Metadata.Labels,
		Organization: q.PathValue("organization"), Environment: q.PathValue("environment"),
		Pool: a.Spec.ComputePoolID, Principal: a.Spec.Principal, Owner: callerOf(q).key, Stopped: a.Spec.Stopped})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, shown(q, made), nil
}

// find finds the statement of a path. One of another environment is not there.
func (s *Server) find(q *http.Request) (statements.Statement, error) {
	name := q.PathValue("name")
	found, err := s.options.Hub.Get(name)
	if err == nil && !here(q, found) {
		err = &statements.NotFound{Name: name}
	}
	return found, err
}

// anywhere, in place of an organization or environment, is all of them, for who looks at what is there.
const anywhere = "-"

func here(q *http.Request, x statements.Statement) bool {
	organization, environment := q.PathValue("organization"), q.PathValue("environment")
	return (organization == anywhere || x.Organization == organization) && (environment == anywhere || x.Environment == environment)
}

func (s *Server) get(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, shown(q, found), nil
}

func (s *Server) put(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	var a api.StatementRequest
	if err := read(q, &a); err != nil {
		return 0, nil, err
	}
	properties, err := properties(&a)
	if err != nil {
		return 0, nil, err
	}
	changed, err := s.options.Hub.Change(found.Name, func(x *statements.Statement) error {
		if v := a.Metadata.ResourceVersion; v != "" && v != version(*x) {
			return &failure{http.StatusConflict, "resource_version_conflict", fmt.Sprintf("resource_version is %s, and the statement has %s since: somebody else has changed it; read it again", v, version(*x))}
		}
		spec := &x.Spec
		// Clients send back what they were shown, in which secrets are not.
		if a.Spec.Statement != secret.Blank(spec.SQL) {
			spec.SQL = a.Spec.Statement
		}
		if a.Spec.Properties != nil && !maps.Equal(properties, hidden(spec.Properties)) {
			spec.Properties = properties
		}
		if a.Metadata.Labels != nil {
			spec.Labels = a.Metadata.Labels
		}
		spec.Pool, spec.Principal, spec.Stopped = a.Spec.ComputePoolID, a.Spec.Principal, a.Spec.Stopped
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusAccepted, shown(q, changed), nil
}

func (s *Server) patch(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	var all []api.Patch
	if err := read(q, &all); err != nil {
		return 0, nil, err
	}
	changed, err := s.options.Hub.Change(found.Name, func(x *statements.Statement) error {
		for _, p := range all {
			if err := apply(p, &x.Spec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, shown(q, changed), nil
}

// apply does one operation of a patch.
func apply(p api.Patch, spec *statements.Spec) error {
	fields := map[string]any{"/spec/stopped": &spec.Stopped, "/spec/principal": &spec.Principal, "/spec/compute_pool_id": &spec.Pool, "/metadata/labels": &spec.Labels}
	into, ok := fields[p.Path]
	switch {
	case !ok:
		return &statements.Invalid{What: fmt.Sprintf("'%s' cannot be changed; what can be is %s", p.Path, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))}
	case p.Op != "replace" && p.Op != "add":
		return &statements.Invalid{What: fmt.Sprintf("operation '%s' of the patch is not supported; write replace or add", p.Op)}
	}
	if p.Path == "/metadata/labels" {
		spec.Labels = nil // a map that is there would keep what the new one has not
	}
	if err := json.Unmarshal(p.Value, into); err != nil {
		return &statements.Invalid{What: fmt.Sprintf("the value for '%s' does not fit: %s", p.Path, err)}
	}
	return nil
}

func (s *Server) delete(q *http.Request) (int, any, error) {
	found, err := s.find(q)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusAccepted, nil, s.options.Hub.Delete(found.Name)
}

// The sizes of pages of statements.
const (
	usualPage = 10
	mostPage  = 100
)

// list shows a page of statements.
func (s *Server) list(q *http.Request) (int, any, error) {
	all, metadata, err := s.page(q)
	if err != nil {
		return 0, nil, err
	}
	list := api.StatementList{APIVersion: api.Version, Kind: api.KindList, Metadata: metadata, Data: []api.Statement{}}
	for _, x := range all {
		list.Data = append(list.Data, shown(q, x))
	}
	return http.StatusOK, list, nil
}

// page is the page of statements that is asked for, the newest first. It begins behind the statement that page_token names: its time and its name, so that it may be gone meanwhile.
func (s *Server) page(q *http.Request) (all []statements.Statement, metadata api.ListMetadata, err error) {
	size, err := number(q, "page_size", usualPage, mostPage)
	if err != nil {
		return nil, metadata, err
	}
	parameters := q.URL.Query()
	labels, err := selector(parameters.Get("label_selector"))
	if err != nil {
		return nil, metadata, err
	}
	behind, err := readToken(parameters.Get("page_token"))
	if err != nil {
		return nil, metadata, err
	}
	pool, part, phase := parameters.Get("spec.compute_pool_id"), parameters.Get("statement_name_search_query"), parameters.Get("phase")
	for _, x := range s.options.Hub.List() {
		if here(q, x) && labels.match(x.Labels) && (pool == "" || x.Pool == pool) && strings.Contains(x.Name, part) && (phase == "" || string(x.Phase) == phase) {
			all = append(all, x)
		}
	}
	total := len(all)
	first := without(parameters, "page_token")
	metadata = api.ListMetadata{First: address(q, q.URL.Path, first), Self: address(q, q.URL.Path, parameters), TotalSize: &total}
	if all = behind.rest(all); len(all) > size {
		all = all[:size]
		first.Set("page_token", tokenOf(all[size-1]))
		metadata.Next = address(q, q.URL.Path, first)
	}
	return all, metadata, nil
}

func without(parameters url.Values, name string) url.Values {
	left := maps.Clone(parameters)
	left.Del(name)
	return left
}
