package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/layout"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// fmtMode is what becomes of what was laid out.
type fmtMode struct{ write, diff, list bool }

func fmtVerb(f *flags) action {
	var mode fmtMode
	f.BoolVar(&mode.write, "w", false, "write the files instead of standard output")
	f.BoolVar(&mode.diff, "d", false, "show what changes; without -w, exit with 1 if anything would")
	f.BoolVar(&mode.list, "l", false, "list the files that change; without -w, exit with 1 if any would")
	var as asLanguage
	as.flag(f)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		texts, err := readTexts(args)
		if err != nil {
			return err
		}
		if mode.write && len(args) == 0 {
			return usageErrorf("-w needs files to write")
		}
		return mode.all(ctx, texts, as.Language, stdout, stderr)
	}
}

// all lays every text out. A text that does not parse is left alone; the others are laid out all the same.
func (m fmtMode) all(ctx context.Context, texts []source.Text, as language.Language, stdout, stderr io.Writer) error {
	refused, differs := false, false
	for _, text := range texts {
		laid, err := promptly(ctx, func() (string, error) { return layout.Text(text, as) })
		if errors.Is(err, errInterrupted) {
			return err
		}
		if err != nil {
			report(err, stderr)
			refused = true
			continue
		}
		differs = differs || laid != text.Body
		if err := m.one(text, laid, stdout); err != nil {
			return err
		}
	}
	switch {
	case refused:
		return errRefused
	case differs && (m.diff || m.list) && !m.write:
		return errFindings
	}
	return nil
}

func (m fmtMode) one(text source.Text, laid string, stdout io.Writer) error {
	if m.list && laid != text.Body {
		fmt.Fprintln(stdout, text.Name)
	}
	if m.diff && laid != text.Body {
		fmt.Fprint(stdout, udiff.Unified(text.Name, text.Name+" laid out", text.Body, laid))
	}
	if m.write && laid != text.Body {
		return replaceFile(text.Name, laid)
	}
	if m == (fmtMode{}) {
		fmt.Fprint(stdout, laid)
	}
	return nil
}

// replaceFile gives a file other content at once or not at all.
func replaceFile(name, body string) error {
	info, err := os.Stat(name)
	if err != nil {
		return usageErrorf("%s", err)
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return usageErrorf("%s", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".tidemark-*")
	if err != nil {
		return usageErrorf("%s", err)
	}
	_, err = temp.WriteString(body)
	err = errors.Join(err, temp.Chmod(info.Mode().Perm()), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		return writeFault(errors.Join(err, os.Remove(temp.Name())))
	}
	return nil
}

// readTexts reads files of SQL, those below folders with one of the endings; without names or for "-" standard input.
func readTexts(names []string) ([]source.Text, error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	var texts []source.Text
	for _, name := range names {
		files, err := sqlFiles(name)
		if err != nil {
			return nil, usageErrorf("%s", err)
		}
		for _, file := range files {
			text, err := readScript(inlineSQL{}, []string{file})
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// endings are those of files of statements.
var endings = []string{".sql", ".yql"}

// sqlFiles is the file of a name, or the files of statements below a folder.
func sqlFiles(name string) ([]string, error) {
	if name == "-" {
		return []string{name}, nil
	}
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return []string{name}, err
	}
	var files []string
	err = filepath.WalkDir(name, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains(endings, strings.ToLower(filepath.Ext(path))) {
			files = append(files, path)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no file below %s ends in %s", name, strings.Join(endings, " or "))
	}
	return files, err
}
