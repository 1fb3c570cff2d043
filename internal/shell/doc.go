// Package shell is the interactive shell: `tidemark sql`.
//
// It reads statements from keys, a file or a pipe, executes them in one session of package engine, and shows what they give. On a terminal there
// is a line editor with history and completion, and a live view of results that folds a changelog into a table or shows it as it is; elsewhere
// the same statements run without prompt and their rows go out in the form that is asked for. It does not read flags.
//
// The parts are plain values, so that tests feed them keys and look at screens:
//
//   - editor.go: a text, a cursor and the keys that change them; search.go and history.go: what was typed before
//   - menu.go: what package complete finds for the cursor; colour.go: how a statement is drawn
//   - fold.go: rows of a changelog as a table; grid.go: how they are drawn
//   - shell.go: a session with the settings and commands of the client; batch.go runs it without a terminal
//   - model.go: all of this as a program of the terminal library, a message at a time; view.go draws it
//
// Start with model.go.
package shell
