package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

func completionVerb(*flags) action {
	return func(_ context.Context, args []string, stdout, _ io.Writer) error {
		if len(args) != 1 {
			args = []string{""}
		}
		switch args[0] {
		case "bash":
			bashCompletion(stdout, verbs())
		case "zsh":
			zshCompletion(stdout, verbs())
		case "fish":
			fishCompletion(stdout, verbs())
		default:
			return usageErrorf("write: tidemark completion bash, zsh or fish")
		}
		return nil
	}
}

// choices are the words that a verb takes; nil stands for files.
func (v verb) choices() []string {
	switch v.name {
	case "generate":
		return []string{"nexmark"}
	case "completion":
		return []string{"bash", "fish", "zsh"}
	case "state":
		return []string{"show", "save", "stop"}
	case "version", "sql":
		return []string{}
	case "help":
		names := []string{"sql"}
		for _, v := range verbs() {
			names = append(names, v.name)
		}
		return names
	}
	return nil
}

// outputForms are the values of the verb's --output.
func (v verb) outputForms() []string {
	if v.name == "advise" {
		return []string{"text", "json"}
	}
	return []string{"table", "jsonl", "csv"}
}

// flagNames are the flags of a verb as they are written.
func (v verb) flagNames() []string {
	var names []string
	f, _ := v.flags(io.Discard)
	f.VisitAll(func(known *flag.Flag) { names = append(names, dashed(known.Name)) })
	return names
}

// dashed is a flag as it is written: -e, --output.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func verbNames(all []verb) []string {
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = v.name
	}
	return names
}

func bashCompletion(w io.Writer, all []verb) {
	fmt.Fprintf(w, `# Completion of tidemark for bash: source <(tidemark completion bash)
_tidemark() {
  local cur=${COMP_WORDS[COMP_CWORD]} flags= words= files= forms=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '%s' -- "$cur"))
    return
  fi
  case ${COMP_WORDS[1]} in
`, strings.Join(verbNames(all), " "))
	for _, v := range all {
		words, files := v.choices(), ""
		if words == nil {
			files = "1"
		}
		fmt.Fprintf(w, "    %s) flags='%s' words='%s' files=%s forms='%s' ;;\n", v.name, strings.Join(v.flagNames(), " "), strings.Join(words, " "), files, strings.Join(v.outputForms(), " "))
	}
	fmt.Fprint(w, `  esac
  if [[ ${COMP_WORDS[COMP_CWORD-1]} == --output ]]; then
    COMPREPLY=($(compgen -W "$forms" -- "$cur"))
  elif [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [[ $files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _tidemark tidemark
`)
}

func zshCompletion(w io.Writer, all []verb) {
	fmt.Fprint(w, "#compdef tidemark\n# Completion of tidemark for zsh: source <(tidemark completion zsh)\n_tidemark() {\n  local -a verbs=(\n")
	for _, v := range all {
		fmt.Fprintf(w, "    %s\n", quoted(v.name+":"+v.doc))
	}
	fmt.Fprint(w, "  )\n  if ((CURRENT == 2)); then\n    _describe command verbs\n    return\n  fi\n  case $words[2] in\n")
	for _, v := range all {
		var specs []string
		f, _ := v.flags(io.Discard)
		f.VisitAll(func(known *flag.Flag) {
			value, doc := flag.UnquoteUsage(known)
			spec := dashed(known.Name) + "[" + strings.NewReplacer("[", "(", "]", ")", ":", ";").Replace(doc) + "]"
			if value != "" {
				spec += ":" + value + ":"
				if known.Name == "output" {
					spec += "(" + strings.Join(v.outputForms(), " ") + ")"
				}
			}
			specs = append(specs, quoted(spec))
		})
		switch words := v.choices(); {
		case words == nil:
			specs = append(specs, "'*:file:_files'")
		case len(words) > 0:
			specs = append(specs, quoted("*:word:("+strings.Join(words, " ")+")"))
		}
		if specs != nil {
			fmt.Fprintf(w, "    %s) shift words; ((CURRENT--)); _arguments %s ;;\n", v.name, strings.Join(specs, " "))
		}
	}
	fmt.Fprint(w, "  esac\n}\ncompdef _tidemark tidemark\n")
}

func fishCompletion(w io.Writer, all []verb) {
	fmt.Fprint(w, "# Completion of tidemark for fish: tidemark completion fish | source\n")
	var plain []string // verbs that take no files
	for _, v := range all {
		fmt.Fprintf(w, "complete -c tidemark -n __fish_use_subcommand -f -a %s -d %s\n", v.name, quoted(v.doc))
		at := quoted("__fish_seen_subcommand_from " + v.name)
		f, _ := v.flags(io.Discard)
		f.VisitAll(func(known *flag.Flag) {
			value, doc := flag.UnquoteUsage(known)
			form, takes := "-l", ""
			if len(known.Name) == 1 {
				form = "-s"
			}
			if value != "" {
				takes = " -r"
			}
			if known.Name == "output" {
				takes += " -f -a " + quoted(strings.Join(v.outputForms(), " "))
			}
			fmt.Fprintf(w, "complete -c tidemark -n %s %s %s%s -d %s\n", at, form, known.Name, takes, quoted(doc))
		})
		if words := v.choices(); words != nil {
			plain = append(plain, v.name)
			if len(words) > 0 {
				fmt.Fprintf(w, "complete -c tidemark -n %s -a %s\n", at, quoted(strings.Join(words, " ")))
			}
		}
	}
	slices.Sort(plain)
	fmt.Fprintf(w, "complete -c tidemark -n %s -f\n", quoted("__fish_seen_subcommand_from "+strings.Join(plain, " ")))
}

// quoted is text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
