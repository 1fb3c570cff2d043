package server

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/statements"
)

// token is the statement behind which a page begins; the zero value is the beginning.
type token struct {
	created int64
	name    string
}

func tokenOf(s statements.Statement) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(s.Created, 10) + "/" + s.Name))
}

func readToken(text string) (token, error) {
	if text == "" {
		return token{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	created, name, ok := strings.Cut(string(b), "/")
	var t token
	if err == nil && ok {
		t.name = name
		t.created, err = strconv.ParseInt(created, 10, 64)
	}
	if err != nil || !ok {
		return token{}, &failure{http.StatusBadRequest, "invalid_request", "page_token is none of this server"}
	}
	return t, nil
}

// rest is what comes behind the token in a list with the newest first. The statement itself may be gone.
func (t token) rest(all []statements.Statement) []statements.Statement {
	if t.name == "" {
		return all
	}
	i := slices.IndexFunc(all, func(s statements.Statement) bool {
		return s.Created < t.created || s.Created == t.created && s.Name > t.name
	})
	if i < 0 {
		return nil
	}
	return all[i:]
}

// labels is a selector: all of these have to be so.
type labels []label

type label struct {
	key, value string
	differs    bool // the label is absent, or has another value
	any        bool // the label is there
}

// selector reads key=value, key!=value and key, with commas between.
func selector(text string) (labels, error) {
	if text == "" {
		return nil, nil
	}
	var all labels
	for _, part := range strings.Split(text, ",") {
		var l label
		if key, value, ok := strings.Cut(part, "!="); ok {
			l = label{key: key, value: value, differs: true}
		} else if key, value, ok := strings.Cut(part, "="); ok {
			l = label{key: key, value: strings.TrimPrefix(value, "=")}
		} else {
			l = label{key: part, any: true}
		}
		l.key, l.value = strings.TrimSpace(l.key), strings.TrimSpace(l.value)
		if l.key == "" {
			return nil, &failure{http.StatusBadRequest, "invalid_request", fmt.Sprintf("label_selector is '%s'; write key=value, key!=value or key, with commas between", text)}
		}
		all = append(all, l)
	}
	return all, nil
}

func (all labels) match(have map[string]string) bool {
	for _, l := range all {
		value, there := have[l.key]
		switch {
		case l.any:
			if !there {
				return false
			}
		case (there && value == l.value) == l.differs:
			return false
		}
	}
	return true
}
