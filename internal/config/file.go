package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// file reads settings from a file: one mapping of names to values, lists where a setting has several.
func (l *Loaded) file(name string, text []byte) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var root yaml.Node
	if err := d.Decode(&root); errors.Is(err, io.EOF) {
		return nil // nothing but comments
	} else if err != nil {
		return misread(name, err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: there is more than one document in it", name)
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: write settings as 'name: value', a line each", name, top.Line)
	}
	seen := map[string]int{}
	for i := 0; i < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		place := fmt.Sprintf("%s:%d", name, key.Line)
		if l.settings.Lookup(key.Value) == nil {
			return fmt.Errorf("%s: there is no setting '%s'%s", place, key.Value, l.near(key.Value))
		}
		if before := seen[key.Value]; before > 0 {
			return fmt.Errorf("%s: %s stands in line %d already", place, key.Value, before)
		}
		seen[key.Value] = key.Line
		all, err := l.list(key.Value, value)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", place, key.Value, err)
		}
		if l.origins[key.Value] != "" || len(all) == 1 && all[0] == "" {
			continue // a flag or a variable says otherwise, or nothing is said
		}
		if err := l.set(key.Value, all, place); err != nil {
			return err
		}
	}
	return nil
}

// list is the values that a node of the file has.
func (l *Loaded) list(name string, n *yaml.Node) ([]string, error) {
	nodes := []*yaml.Node{n}
	_, several := l.settings.Lookup(name).Value.(*List)
	switch {
	case n.Kind == yaml.SequenceNode && several:
		nodes = n.Content
	case n.Kind == yaml.SequenceNode:
		return nil, errors.New("it has one value, and no list of them")
	}
	var all []string
	for _, n := range nodes {
		switch {
		case n.Kind != yaml.ScalarNode:
			return nil, errors.New("its value has to be a word or a number")
		case n.Tag == "!!null":
			return nil, errors.New("there is no value; take the line out if the default is meant")
		}
		all = append(all, n.Value)
	}
	return all, nil
}

// near is what may have been meant.
func (l *Loaded) near(name string) string {
	if near := source.Nearest(strings.ReplaceAll(name, "_", "-"), names(l.settings)); near != "" {
		return fmt.Sprintf("; did you mean '%s'?", near)
	}
	return "; tidemark server -h lists them"
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

// misread is that a file is not YAML, with the place where the library has one.
func misread(name string, err error) error {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s:%s: this is not YAML: %s", name, m[1], m[2])
	}
	return fmt.Errorf("%s: this is not YAML: %w", name, err)
}
