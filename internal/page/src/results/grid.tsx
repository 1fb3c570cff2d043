import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Cell, Column, Row } from '../api.ts'
import { isNumber } from './series.ts'
import { cellText, ops } from './table.ts'

const height = 25
const around = 10

type Props = { columns: Column[]; follow: boolean } & ({ changes: Row[]; rows?: never } | { rows: Cell[][]; changes?: never })

/** Grid is a table of any length, of which only what is seen is drawn. It stays at its end as long as it stands there and is to follow. */
export function Grid({ columns, changes, rows, follow }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const [top, setTop] = useState(0)
  const [room, setRoom] = useState(400)
  const total = changes ? changes.length : rows.length
  useEffect(() => {
    const seen = new ResizeObserver(() => setRoom(box.current?.clientHeight ?? 400))
    if (box.current) seen.observe(box.current)
    return () => seen.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (follow && atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [total, follow, changes])
  const first = Math.max(0, Math.min(Math.floor(top / height) - around, total - 1))
  const last = Math.min(total, Math.ceil((top + room) / height) + around)
  const drawn = []
  for (let i = first; i < last; i++) {
    const change = changes?.[i]
    const cells = change ? change.row : (rows?.[i] ?? [])
    drawn.push(
      <tr key={i} aria-rowindex={i + 2} className={change && change.op > 0 ? `op${change.op}` : undefined}>
        {change && <td className="op mono">{ops[change.op]}</td>}
        {cells.map((cell, k) => (
          <td key={k} className={columns[k] && isNumber(columns[k]) ? 'number' : undefined}>
            {cell === null ? <span className="null">NULL</span> : cellText(cell)}
          </td>
        ))}
      </tr>,
    )
  }
  return (
    <div
      ref={box}
      className="scroll grid"
      tabIndex={0}
      role="region"
      aria-label="Rows"
      onScroll={event => {
        const b = event.currentTarget
        atEnd.current = b.scrollHeight - b.scrollTop - b.clientHeight < height
        setTop(b.scrollTop)
      }}
    >
      <table aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {changes && <th scope="col" className="op">op</th>}
            {columns.map((c, i) => (
              <th key={i} scope="col" className={isNumber(c) ? 'number' : undefined} title={c.type.type}>{c.name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Gap rows={first} />}
          {drawn}
          {last < total && <Gap rows={total - last} />}
        </tbody>
      </table>
      {total === 0 && <p className="empty">{follow ? 'No row has come yet.' : 'There are no rows.'}</p>}
    </div>
  )
}

const Gap = ({ rows }: { rows: number }) => (
  <tr aria-hidden="true" className="gap">
    <td style={{ height: rows * height }} />
  </tr>
)
