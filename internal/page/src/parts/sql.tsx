import { highlightCode, tagHighlighter, tags } from '@lezer/highlight'
import { useMemo, type ReactNode } from 'react'
import { dialectOf } from '../sql/dialect.ts'
import { Copy } from './copy.tsx'

const classes = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: [tags.typeName, tags.standard(tags.name)], class: 'type' },
  { tag: [tags.string, tags.special(tags.string)], class: 'string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'literal' },
  { tag: tags.comment, class: 'comment' },
])

/** Sql shows SQL in colours, to be copied. */
export function Sql({ text, label = 'SQL' }: { text: string; label?: string }) {
  const shown = useMemo(() => {
    const parts: ReactNode[] = []
    highlightCode(text, dialectOf(text).language.parser.parse(text), classes, (part, name) => parts.push(name ? <span key={parts.length} className={name}>{part}</span> : part), () => parts.push('\n'))
    return parts
  }, [text])
  return (
    <figure className="sql-text" aria-label={label}>
      <pre tabIndex={0}><code>{shown}</code></pre>
      <Copy text={text} />
    </figure>
  )
}
