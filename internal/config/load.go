package config

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// prefix is what the names of variables begin with.
const prefix = "TIDEMARK_"

// Variable is the variable of the environment for a setting.
func Variable(setting string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(setting, "-", "_"))
}

// Loaded is where the values of settings come from.
type Loaded struct {
	settings *flag.FlagSet
	origins  map[string]string // by the name of the setting; what is not in it has its default
	// Notices are variables that look as if they were meant for a setting, and are for none.
	Notices []string
}

// Load gives settings their values. Those in given were flags, and have theirs. environ is as os.Environ gives it, and file the path of a file in YAML, "" for none. The error is for people and begins
// with the place.
func Load(settings *flag.FlagSet, given []string, environ []string, file string) (*Loaded, error) {
	l := &Loaded{settings: settings, origins: map[string]string{}}
	for _, name := range given {
		if settings.Lookup(name) != nil {
			l.origins[name] = "--" + name
		}
	}
	l.notice(environ)
	for _, name := range names(settings) {
		value := lookup(environ, Variable(name))
		if value == "" || l.origins[name] != "" {
			continue
		}
		if err := l.set(name, values(settings.Lookup(name), value), Variable(name)); err != nil {
			return nil, err
		}
	}
	if file == "" {
		return l, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the file of settings cannot be read: %w", err)
	}
	return l, l.file(file, text)
}

// set gives a setting its values, of which a List alone has several.
func (l *Loaded) set(name string, values []string, place string) error {
	s := l.settings.Lookup(name)
	for _, v := range values {
		if err := s.Value.Set(v); err != nil {
			return fmt.Errorf("%s: %s: %s", place, name, explain(s, v, err))
		}
	}
	l.origins[name] = place
	return nil
}

// explain says what is wrong with a value; package flag does not say what it wants.
func explain(s *flag.Flag, value string, err error) string {
	if b, ok := s.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return fmt.Sprintf("'%s' is not true or false", value)
	}
	return err.Error()
}

// values divides the text of a List.
func values(s *flag.Flag, text string) []string {
	if _, several := s.Value.(*List); several {
		return strings.Split(text, ",")
	}
	return []string{text}
}

func names(settings *flag.FlagSet) (all []string) {
	settings.VisitAll(func(s *flag.Flag) { all = append(all, s.Name) })
	return all
}

func lookup(environ []string, name string) string {
	for _, e := range environ {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

// others are variables that mean something to other verbs.
var others = []string{"TIDEMARK_SERVER", "TIDEMARK_KEY", "TIDEMARK_CONFIG"}

// notice looks for variables that were misspelt. They are not refused, since the environment is everybody's.
func (l *Loaded) notice(environ []string) {
	settings := names(l.settings)
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		word, ours := strings.CutPrefix(name, prefix)
		if !ours || value == "" || slices.Contains(others, name) || slices.ContainsFunc(settings, func(s string) bool { return Variable(s) == name }) {
			continue
		}
		if near := source.Nearest(strings.ReplaceAll(word, "_", "-"), settings); near != "" {
			l.Notices = append(l.Notices, fmt.Sprintf("the variable %s is of no setting; did you mean %s?", name, Variable(near)))
		}
	}
}
