// Package registry asks a schema registry of Confluent's kind what the schemas are that messages name by number, and has new ones numbered.
//
// It knows nothing of what a schema says, nor of messages: that is package format's part.
package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Registry is a client. It holds no connection open that would need closing.
type Registry struct {
	client  *sr.Client
	address string
}

// Config says where a registry is and who asks.
type Config struct {
	URLs                  []string // tried one after the other
	User, Password, Token string   // a name and a password, or a token, or neither
}

// Kind is the language of a schema.
type Kind int

// The kinds.
const (
	Avro Kind = Kind(sr.TypeAvro)
	JSON Kind = Kind(sr.TypeJSON)
)

// patience is how long one answer may take.
const patience = 10 * time.Second

// ErrUnknown is the error of a number that the registry has not given out.
var ErrUnknown = errors.New("the registry knows no such schema")

// New makes a client, which asks nothing yet.
func New(c Config) (*Registry, error) {
	options := []sr.ClientOpt{sr.URLs(c.URLs...), sr.UserAgent("tidemark"), sr.HTTPClient(&http.Client{Timeout: patience})}
	if c.User != "" {
		options = append(options, sr.BasicAuth(c.User, c.Password))
	}
	if c.Token != "" {
		options = append(options, sr.BearerToken(c.Token))
	}
	client, err := sr.NewClient(options...)
	if err != nil {
		return nil, fault.Wrap(fault.User, err)
	}
	return &Registry{client, strings.Join(c.URLs, ", ")}, nil
}

// Schema is the schema with a number. The error is ErrUnknown if there is none; any other is about the registry and not about the number.
func (r *Registry) Schema(id int, kind Kind) (string, error) {
	s, err := r.client.SchemaByID(context.Background(), id)
	if answer := (*sr.ResponseError)(nil); errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound {
		return "", ErrUnknown
	}
	switch {
	case err != nil:
		return "", r.failed(fmt.Sprintf("ask for schema %d", id), err)
	case s.Type != sr.SchemaType(kind):
		return "", fmt.Errorf("%w: number %d is %s", ErrUnknown, id, s.Type)
	case len(s.References) > 0:
		return "", fmt.Errorf("%w that stands by itself: number %d refers to others", ErrUnknown, id)
	}
	return s.Schema, nil
}

// Register gives the number of a schema under a subject; it is a new one unless the schema is there already.
func (r *Registry) Register(subject, schema string, kind Kind) (int, error) {
	id, err := r.client.RegisterSchema(context.Background(), subject, sr.Schema{Schema: schema, Type: sr.SchemaType(kind)}, -1, -1)
	if answer := (*sr.ResponseError)(nil); errors.As(err, &answer) && answer.StatusCode == http.StatusConflict {
		return 0, fault.Errorf(fault.User, "the schema registry refuses the schema of the table under subject '%s', as it is not compatible with an earlier one: %w", subject, err)
	}
	if err != nil {
		return 0, r.failed(fmt.Sprintf("register a schema under subject '%s'", subject), err)
	}
	return id, nil
}

func (r *Registry) failed(what string, err error) error {
	if answer := (*sr.ResponseError)(nil); errors.As(err, &answer) {
		switch answer.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			return fault.Errorf(fault.External, "%s: the schema registry at %s lets nobody in with this login (status %d)", what, r.address, answer.StatusCode)
		}
		return fault.Errorf(fault.External, "%s: the schema registry at %s answers with status %d: %w", what, r.address, answer.StatusCode, err)
	}
	return fault.Errorf(fault.External, "%s: the schema registry at %s does not answer: %w", what, r.address, err)
}
