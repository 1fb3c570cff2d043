import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, toggleComment } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { linter, lintKeymap, type Diagnostic } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import type { Checked, Completions, Problem } from '../../api.ts'
import { ask, everywhere } from '../../data/ask.ts'
import { dialectOf } from '../../sql/dialect.ts'

/** Code is what others can do with the editor. */
export interface Code {
  text(): string
  /** selected is the text that is selected, "" if none is. */
  selected(): string
  cursor(): number
  replace(text: string): void
  goTo(place: number): void
}

interface Props {
  ref: Ref<Code>
  initial: string
  properties: () => Record<string, string>
  onChange: (text: string) => void
  onProblems: (problems: Problem[]) => void
  onRun: () => void
  onExplain: () => void
}

/** CodeEditor writes SQL. It stands in a shadow root, where the styles that it makes are no inline styles, which the policy of the page forbids. */
export function CodeEditor({ ref, initial, properties, onChange, onProblems, onRun, onExplain }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const now = useRef({ properties, onChange, onProblems, onRun, onExplain })
  now.current = { properties, onChange, onProblems, onRun, onExplain }
  useEffect(() => {
    const place = host.current as HTMLDivElement
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
    const dialect = new Compartment()
    let coloured = dialectOf(initial)
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: initial,
        extensions: [
          keymap.of([
            { key: 'Mod-Enter', run: () => (now.current.onRun(), true) },
            { key: 'Mod-e', run: () => (now.current.onExplain(), true) },
            { key: 'Mod-/', run: toggleComment },
          ]),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          dialect.of(dialectOf(initial).language),
          syntaxHighlighting(colours),
          autocompletion({ override: [complete(() => now.current.properties())], icons: false }),
          linter(check(() => now.current.properties(), problems => now.current.onProblems(problems)), { delay: 400 }),
          keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
          placeholder('SELECT …'),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'SQL', spellcheck: 'false' }),
          EditorView.updateListener.of(u => {
            if (!u.docChanged) return
            const text = u.state.doc.toString()
            now.current.onChange(text)
            if (dialectOf(text) === coloured) return
            coloured = dialectOf(text)
            u.view.dispatch({ effects: dialect.reconfigure(coloured.language) })
          }),
          look,
        ],
      }),
    })
    view.current = made
    made.focus()
    return () => made.destroy()
  }, [])
  useImperativeHandle(ref, () => ({
    text: () => view.current?.state.doc.toString() ?? '',
    selected() {
      const state = view.current?.state
      return state ? state.sliceDoc(state.selection.main.from, state.selection.main.to) : ''
    },
    cursor: () => view.current?.state.selection.main.head ?? 0,
    replace(text) {
      const v = view.current
      if (!v) return
      v.dispatch({ changes: { from: 0, to: v.state.doc.length, insert: text }, selection: { anchor: text.length }, scrollIntoView: true })
      v.focus()
    },
    goTo(at) {
      const v = view.current
      if (!v) return
      v.dispatch({ selection: { anchor: Math.min(at, v.state.doc.length) }, scrollIntoView: true })
      v.focus()
    },
  }), [])
  return <div ref={host} className="code" />
}

/** check asks what is wrong with the text. Without an answer nothing is. */
function check(properties: () => Record<string, string>, tell: (problems: Problem[]) => void) {
  return async (view: EditorView): Promise<Diagnostic[]> => {
    const text = view.state.doc.toString()
    let problems: Problem[] = []
    if (text.trim())
      try {
        problems = (await ask<Checked>('POST', `${everywhere}/check`, { statement: text, properties: properties() })).problems
      } catch {
        // the server is away, which the page tells elsewhere
      }
    if (view.state.doc.toString() !== text) return []
    tell(problems)
    const end = text.length
    return problems.map(p => {
      const from = Math.min(p.from, end)
      return { from, to: Math.min(Math.max(p.to, from), end), severity: p.severity === 'warning' ? 'warning' : 'error', message: p.hint ? `${p.message}\n${p.hint}` : p.message, ...(p.code && { source: p.code }) }
    })
  }
}

function complete(properties: () => Record<string, string>) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (!context.explicit && !context.matchBefore(/[\p{L}_`'.][\p{L}\p{N}_.\-`']*/u)) return null
    try {
      const found = await ask<Completions>('POST', `${everywhere}/complete`, { statement: context.state.doc.toString(), properties: properties(), cursor: context.pos })
      if (context.aborted || found.options.length === 0) return null
      return { from: found.from, to: found.to, options: found.options.map(label => ({ label })), filter: false }
    } catch {
      return null
    }
  }
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '500' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--code-type)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
])

const look = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--surface)', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-ground) 35%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--code-selection) !important' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--code-selection)' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--strong-line)', borderRadius: '6px', color: 'var(--text)', boxShadow: 'var(--shadow)', overflow: 'hidden' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-text)' },
  '.cm-diagnostic': { padding: '6px 10px', whiteSpace: 'pre-wrap', maxWidth: '60ch', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad) 1px', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn) 1px', textUnderlineOffset: '3px' },
})
