package kafka

import (
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// right is what brokers let a user do with something.
type right struct {
	operation, resource, name string // as kafka-acls.sh has them; the cluster has no name
	prefixed                  bool   // name is what it begins with
}

func (r right) String() string {
	switch {
	case r.resource == "cluster":
		return r.operation + " on the cluster"
	case r.prefixed:
		return fmt.Sprintf("%s on %ss that begin with '%s'", r.operation, strings.ReplaceAll(r.resource, "-", " "), r.name)
	}
	return fmt.Sprintf("%s on %s '%s'", r.operation, r.resource, r.name)
}

// arguments are those of kafka-acls.sh.
func (r right) arguments() string {
	s := fmt.Sprintf("--operation %s --%s", r.operation, r.resource)
	if r.name != "" {
		s += fmt.Sprintf(" '%s'", r.name)
	}
	if r.prefixed {
		s += " --resource-pattern-type prefixed"
	}
	return s
}

// refused is an error of brokers that do not let this client do something, which it needs a right for.
func (c *config) refused(key, what string, needs right) error {
	who, principal := "this client", "User:…"
	if c.security.sasl {
		who, principal = fmt.Sprintf("user '%s'", c.security.user()), "User:"+c.security.user()
	}
	hint := fmt.Sprintf("permit it: kafka-acls.sh --add --allow-principal '%s' %s", principal, needs.arguments())
	if c.guarantee == exactlyOnce && (needs.operation != "Write" || needs.resource != "topic") {
		hint += "; or write '" + optionGuarantee + "' = 'at-least-once'"
	}
	return fault.Wrap(fault.User, &connector.OptionError{Key: key, Message: fmt.Sprintf("%s: %s lacks the right %s", what, who, needs), Hint: hint})
}

// refusal is what an error says that brokers do not let this client do, which writes in transactions; nil if it is about something else.
func (c *config) refusal(what string, err error) error {
	switch {
	case errors.Is(err, kerr.TransactionalIDAuthorizationFailed):
		return c.refused(optionPrefix, what, right{"Write", "transactional-id", c.prefix, true})
	case errors.Is(err, kerr.GroupAuthorizationFailed):
		return c.refused(optionPrefix, what, right{"Read", "group", c.prefix, true})
	case errors.Is(err, kerr.ClusterAuthorizationFailed):
		return c.refused(optionGuarantee, what, right{operation: "ClusterAction", resource: "cluster"})
	}
	return nil
}
