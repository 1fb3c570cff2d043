package engine

import (
	"errors"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func (x *execution) set(s *sql.Set) (*Result, error) {
	if s.Option == nil {
		return &Result{Rows: x.settings()}, nil
	}
	if s.Option.Key.Value == language.Property {
		return &Result{}, x.setLanguage(s.Option)
	}
	err := x.session.Set(s.Option.Key.Value, s.Option.Value.Value)
	if err != nil {
		return nil, x.settingError(err, s.Option.Key.Span(), s.Option.Value.Span())
	}
	r := &Result{}
	if reason, ok := catalog.WithoutEffect(s.Option.Key.Value); ok {
		r.Notes = []string{"'" + s.Option.Key.Value + "' has no effect: " + reason}
	}
	return r, nil
}

// settings lists every setting with its value, where that comes from, and what it means.
func (x *execution) settings() *Rows {
	rows := newRows("key", "value", "origin", "meaning")
	for _, k := range catalog.KnownSettings {
		if k.Alias != "" {
			continue
		}
		value, origin := x.session.Value(k.Key)
		if value == "" {
			value, origin = "unset", ""
		}
		rows.add(k.Key, value, origin, k.Doc)
	}
	origin := "default"
	if x.language != language.Auto {
		origin = "SET"
	}
	rows.add(language.Property, x.language.String(), origin, "the language of what statements of two languages could be: sql, yql or auto")
	return rows
}

// setLanguage notes the language of texts. Who reads texts looks for the statement: what is behind it in its text was read already.
func (x *execution) setLanguage(o *sql.Option) error {
	l, ok := language.Named(o.Value.Value)
	if !ok {
		return x.errorf("setting", o.Value.Span(), "it can be: "+strings.Join(language.Names(), ", "), "'%s' cannot be '%s'", language.Property, o.Value.Value)
	}
	x.language = l
	return nil
}

func (x *execution) reset(s *sql.Reset) error {
	if s.Key == nil || s.Key.Value == language.Property {
		x.language = language.Auto
		if s.Key != nil {
			return nil
		}
		return x.session.Reset("")
	}
	return x.settingError(x.session.Reset(s.Key.Value), s.Key.Span(), s.Key.Span())
}

func (x *execution) settingError(err error, key, value source.Span) error {
	var setting *catalog.SettingError
	if !errors.As(err, &setting) {
		return err
	}
	at := value
	if setting.OfKey {
		at = key
	}
	return x.errorf("setting", at, setting.Hint, "%s", setting.Message)
}
