// Package client asks a Tidemark server, as the verbs of the program do that take --server.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/server/api"
)

// Client asks one server. It may be used by several goroutines.
type Client struct {
	// URL is where the server is, http://127.0.0.1:8810, and Key the name and the secret of an API key with a colon between; "" if none is needed.
	URL, Key string
	// Organization and Environment are where statements are made; looking goes over all of them.
	Organization, Environment string
	HTTP                      http.Client
}

const (
	anywhere = "/sql/v1/organizations/-/environments/-"
	// timeout is for how long a request may take.
	timeout = 30 * time.Second
	// mostBytes is how long an answer can be.
	mostBytes = 64 << 20
)

// Refused is an answer that is an error.
type Refused struct {
	Status int
	Detail string
}

func (r *Refused) Error() string { return r.Detail }

// Fault is the class of the error: the server is something outside, what it refuses is the user's.
func (r *Refused) Fault() fault.Class {
	if r.Status >= 500 {
		return fault.External
	}
	return fault.User
}

// List tells of all statements, the newest first.
func (c *Client) List(ctx context.Context) (all []api.Statement, err error) {
	err = c.pages("/statements", func(path string) (next string, err error) {
		var page api.StatementList
		err = c.ask(ctx, http.MethodGet, path, nil, &page)
		all = append(all, page.Data...)
		return page.Metadata.Next, err
	})
	return all, err
}

// Overview tells of all statements, the newest first, and what their jobs do.
func (c *Client) Overview(ctx context.Context) (all []api.OverviewLine, err error) {
	err = c.pages("/overview", func(path string) (next string, err error) {
		var page api.Overview
		err = c.ask(ctx, http.MethodGet, path, nil, &page)
		all = append(all, page.Data...)
		return page.Metadata.Next, err
	})
	return all, err
}

// pages asks for a list page by page. A server may know itself by another name than we do, so that only the path of the next one counts.
func (c *Client) pages(list string, ask func(path string) (next string, err error)) error {
	for path := anywhere + list + "?page_size=100"; ; {
		next, err := ask(path)
		if err != nil || next == "" {
			return err
		}
		u, err := url.Parse(next)
		if err != nil {
			return c.strange(err)
		}
		path = u.RequestURI()
	}
}

// Get tells of a statement.
func (c *Client) Get(ctx context.Context, name string) (s api.Statement, err error) {
	return s, c.ask(ctx, http.MethodGet, anywhere+"/statements/"+url.PathEscape(name), nil, &s)
}

// Create makes a statement.
func (c *Client) Create(ctx context.Context, name, sql string, properties map[string]string) (s api.Statement, err error) {
	asked := api.StatementRequest{Name: name, Spec: api.RequestSpec{Statement: sql, Properties: map[string]any{}}}
	for key, value := range properties {
		asked.Spec.Properties[key] = value
	}
	return s, c.ask(ctx, http.MethodPost, c.here()+"/statements", asked, &s)
}

// Reach tells whether the server is there and takes the key.
func (c *Client) Reach(ctx context.Context) error {
	return c.ask(ctx, http.MethodGet, anywhere+"/statements?page_size=1", nil, nil)
}

// Check finds what is wrong with SQL that would be run here.
func (c *Client) Check(ctx context.Context, text api.Text) (found api.Checked, err error) {
	return found, c.ask(ctx, http.MethodPost, c.here()+"/check", text, &found)
}

// Complete finds what could stand at the cursor of SQL that somebody is writing.
func (c *Client) Complete(ctx context.Context, text api.Text) (found api.Completions, err error) {
	return found, c.ask(ctx, http.MethodPost, c.here()+"/complete", text, &found)
}

// here is where statements are made.
func (c *Client) here() string {
	return "/sql/v1/organizations/" + url.PathEscape(c.Organization) + "/environments/" + url.PathEscape(c.Environment)
}

// Stop stops a statement, or has it go on.
func (c *Client) Stop(ctx context.Context, name string, stopped bool) (s api.Statement, err error) {
	value := json.RawMessage("false")
	if stopped {
		value = json.RawMessage("true")
	}
	return s, c.ask(ctx, http.MethodPatch, anywhere+"/statements/"+url.PathEscape(name), []api.Patch{{Op: "replace", Path: "/spec/stopped", Value: value}}, &s)
}

// Change gives a pipeline another spec, and leaves the rest as it is, also if somebody else changes that meanwhile.
func (c *Client) Change(ctx context.Context, name, spec string) (s api.Statement, err error) {
	for {
		if s, err = c.Get(ctx, name); err != nil {
			return s, err
		}
		asked := api.StatementRequest{Name: name, Metadata: api.RequestMetadata{ResourceVersion: s.Metadata.ResourceVersion},
			Spec: api.RequestSpec{Statement: spec, ComputePoolID: s.Spec.ComputePoolID, Principal: s.Spec.Principal, Stopped: s.Spec.Stopped}}
		err = c.ask(ctx, http.MethodPut, anywhere+"/statements/"+url.PathEscape(name), asked, &s)
		if refused := (*Refused)(nil); !errors.As(err, &refused) || refused.Status != http.StatusConflict {
			return s, err
		}
	}
}

// Delete deletes a statement with its state.
func (c *Client) Delete(ctx context.Context, name string) error {
	return c.ask(ctx, http.MethodDelete, anywhere+"/statements/"+url.PathEscape(name), nil, nil)
}

// Exceptions are the attempts of a statement that failed, the newest first.
func (c *Client) Exceptions(ctx context.Context, name string) ([]api.StatementException, error) {
	var l api.StatementExceptionList
	err := c.ask(ctx, http.MethodGet, anywhere+"/statements/"+url.PathEscape(name)+"/exceptions", nil, &l)
	return l.Data, err
}

// Results reads a page of results. from is what the page before gave as next, "" for the first one; next is "" if there is no other page.
func (c *Client) Results(ctx context.Context, name, from string) (rows []api.Row, next string, err error) {
	path := anywhere + "/statements/" + url.PathEscape(name) + "/results"
	if from != "" {
		path += "?page_token=" + url.QueryEscape(from)
	}
	var page api.StatementResults
	if err := c.ask(ctx, http.MethodGet, path, nil, &page); err != nil {
		return nil, "", err
	}
	if page.Metadata.Next == "" {
		return page.Results.Data, "", nil
	}
	u, err := url.Parse(page.Metadata.Next)
	if err != nil {
		return nil, "", c.strange(err)
	}
	return page.Results.Data, u.Query().Get("page_token"), nil
}

// Why tells what a statement waits for.
func (c *Client) Why(ctx context.Context, name string) (w api.Why, err error) {
	return w, c.ask(ctx, http.MethodGet, anywhere+"/statements/"+url.PathEscape(name)+"/why", nil, &w)
}

// Ready tells why the server takes no statements, nil if it does.
func (c *Client) Ready(ctx context.Context) error {
	return c.ask(ctx, http.MethodGet, "/ready", nil, nil)
}

func (c *Client) ask(ctx context.Context, method, path string, body, into any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	q, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, sent)
	if err != nil {
		return fault.Errorf(fault.User, "'%s' is no address of a server; write http://host:port", c.URL)
	}
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if c.Key != "" {
		q.Header.Set("Authorization", "Bearer "+c.Key)
	}
	answer, err := c.HTTP.Do(q)
	if err != nil {
		return unanswered(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostBytes))
	if err != nil {
		return fault.Errorf(fault.External, "ask the server: %w", err)
	}
	if answer.StatusCode >= 400 {
		var f api.Failure
		if json.Unmarshal(text, &f) != nil || len(f.Errors) == 0 {
			return &Refused{answer.StatusCode, fmt.Sprintf("the server answers %s", answer.Status)}
		}
		text := f.Errors[0].Detail
		if answer.StatusCode == http.StatusUnauthorized {
			text += "; give it with --key name:secret, or in TIDEMARK_KEY"
		}
		return &Refused{answer.StatusCode, text}
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return c.strange(err)
	}
	return nil
}

// unanswered is the error for a request that had no answer.
func unanswered(err error) error {
	if untrusted := (*tls.CertificateVerificationError)(nil); errors.As(err, &untrusted) {
		return fault.Errorf(fault.External, "ask the server: %w; if it is yours, name a file with its certificate in SSL_CERT_FILE", err)
	}
	return fault.Errorf(fault.External, "ask the server: %w; is tidemark server running there?", err)
}

// strange is the error for an answer that no Tidemark server gives.
func (c *Client) strange(err error) error {
	return fault.Errorf(fault.External, "what answers at %s is no server of this kind: %w", c.URL, err)
}
