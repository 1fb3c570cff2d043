import type { Warning } from '../api.ts'
import { plural } from '../format.ts'
import { parted } from '../severity.ts'

/** Warnings are what the server has to say about a statement: what is of low severity is advice and stands apart from warnings. One is said at once, unless folded is set; several wait to be looked at. */
export function Warnings({ all, folded = false }: { all: Warning[]; folded?: boolean }) {
  const { warnings, advice } = parted(all)
  return (
    <>
      <Said all={warnings} of="warning" tone="warn" folded={folded} />
      <Said all={advice} of="note" tone="" folded={folded} />
    </>
  )
}

function Said({ all, of, tone, folded }: { all: Warning[]; of: string; tone: string; folded: boolean }) {
  if (all.length === 0) return null
  if (all.length === 1 && !folded) return <p className={`notice ${tone}`}>{all[0]?.message}</p>
  return (
    <details className={`notice ${tone} warnings`}>
      <summary>{plural(all.length, of)} about this statement</summary>
      <ul>
        {all.map((w, i) => (
          <li key={i}>{w.message}</li>
        ))}
      </ul>
    </details>
  )
}
