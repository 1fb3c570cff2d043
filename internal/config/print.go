package config

import (
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark-sql/tidemark/internal/secret"
)

// Print writes what is in force as a file of settings, and behind each setting where it comes from. Secrets are left out.
func (l *Loaded) Print(w io.Writer) error {
	var top yaml.Node
	top.Kind = yaml.MappingNode
	for _, name := range names(l.settings) {
		s := l.settings.Lookup(name)
		key, value := scalar(name), scalar(secret.Shown(name, s.Value.String()))
		if list, several := s.Value.(*List); several {
			value = &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for _, v := range *list {
				value.Content = append(value.Content, scalar(secret.Shown(name, v)))
			}
		}
		value.LineComment = "default"
		if from := l.origins[name]; from != "" {
			value.LineComment = from
		}
		top.Content = append(top.Content, key, value)
	}
	text, err := yaml.Marshal(&top)
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		return fmt.Errorf("print the settings: %w", err)
	}
	return nil
}

// scalar is a word or a number as it is written.
func scalar(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	if text == "" {
		n.Style = yaml.DoubleQuotedStyle // nothing at all would be no value
	}
	return n
}
