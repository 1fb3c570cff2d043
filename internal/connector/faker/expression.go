package faker

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brianvoe/gofakeit/v7"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// value is what an expression gives: text, or a point in time, which every type writes its own way.
type value struct {
	text    string
	micros  int64
	instant bool
}

// generate makes a value; now is the wall clock in microseconds.
type generate func(f *gofakeit.Faker, now int64) value

// parse reads an expression: text with calls such as #{Name.fullName} or #{number.numberBetween '1','9'} in it.
func parse(text string) (generate, error) {
	var parts []generate
	for rest := text; rest != ""; {
		before, call, found := strings.Cut(rest, "#{")
		if before != "" {
			parts = append(parts, func(*gofakeit.Faker, int64) value { return value{text: before} })
		}
		if !found {
			break
		}
		end := closing(call)
		if end < 0 {
			return nil, errors.New("a #{ has no }")
		}
		g, err := parseCall(call[:end])
		if err != nil {
			return nil, err
		}
		parts = append(parts, g)
		rest = call[end+1:]
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return func(f *gofakeit.Faker, now int64) value {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p(f, now).String())
		}
		return value{text: b.String()}
	}, nil
}

// closing is the brace that ends a call; those in quotes do not.
func closing(call string) int {
	quoted := false
	for i := range len(call) {
		switch {
		case call[i] == '\'':
			quoted = !quoted
		case call[i] == '}' && !quoted:
			return i
		}
	}
	return -1
}

func parseCall(call string) (generate, error) {
	name, list, _ := strings.Cut(strings.TrimSpace(call), " ")
	args, err := parseArgs(list)
	if err != nil {
		return nil, fmt.Errorf("#{%s}: %w", call, err)
	}
	wanted := fold(name)
	i := slices.IndexFunc(providers, func(p provider) bool {
		return slices.ContainsFunc(p.names, func(n string) bool { return fold(n) == wanted })
	})
	if i < 0 {
		return nil, unknown(name)
	}
	g, err := providers[i].make(args)
	if err != nil {
		return nil, fmt.Errorf("#{%s}: %w", call, err)
	}
	return g, nil
}

// fold makes Name.fullName, name.full_name and NAME.FULLNAME one.
func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// parseArgs reads texts in single quotes with commas in between.
func parseArgs(list string) (args []string, err error) {
	for rest := strings.TrimSpace(list); rest != ""; {
		if rest[0] != '\'' {
			return nil, errors.New("arguments are written in single quotes, with commas in between")
		}
		arg, behind, ok := strings.Cut(rest[1:], "'")
		if !ok {
			return nil, errors.New("a quote is not closed")
		}
		args = append(args, arg)
		behind = strings.TrimSpace(behind)
		if rest, ok = strings.CutPrefix(behind, ","); !ok && behind != "" {
			return nil, errors.New("arguments are written in single quotes, with commas in between")
		}
		rest = strings.TrimSpace(rest)
	}
	return args, nil
}

// unknownError is a call that there is not.
type unknownError struct{ name, near string }

func (e *unknownError) Error() string { return fmt.Sprintf("there is no #{%s}", e.name) }

func unknown(name string) error {
	return &unknownError{name, source.Nearest(name, names())}
}

// names lists all calls.
func names() []string {
	var all []string
	for _, p := range providers {
		all = append(all, p.names[0])
	}
	slices.Sort(all)
	return all
}
