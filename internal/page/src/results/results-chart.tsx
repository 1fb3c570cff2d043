import { useMemo, useState } from 'react'
import type { Cell, Column } from '../api.ts'
import { short } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { bars, choose, isNumber, isTime, lines, mostBars, mostLines, type Bar, type Choice } from './series.ts'

/** ResultsChart draws numbers over the time of the rows, or the largest values where there is no time. */
export function ResultsChart({ columns, rows }: { columns: Column[]; rows: Cell[][] }) {
  const [chosen, set] = useState<Partial<Choice>>({})
  const usual = useMemo(() => choose(columns, rows), [columns, rows.length > 50])
  if (!usual) return null
  const choice: Choice = { ...usual, ...chosen }
  const numbered = columns.map((c, i) => ({ name: c.name, i, c }))
  const pick = (label: string, key: keyof Choice, options: typeof numbered, none?: string) => (
    <label>
      {label}{' '}
      <select value={choice[key] ?? ''} onChange={event => set({ ...chosen, [key]: event.target.value === '' ? undefined : Number(event.target.value) })}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(o => <option key={o.i} value={o.i}>{o.name}</option>)}
      </select>
    </label>
  )
  const overTime = choice.x !== undefined
  return (
    <div className="drawn">
      <div className="picks">
        {pick('Number', 'y', numbered.filter(o => isNumber(o.c)))}
        {numbered.some(o => isTime(o.c)) && pick('over', 'x', numbered.filter(o => isTime(o.c)), 'nothing: largest values')}
        {pick(overTime ? 'a line for each' : 'of', 'by', numbered.filter(o => o.i !== choice.y && o.i !== choice.x), overTime ? 'nothing' : 'each row')}
      </div>
      {overTime ? <OverTime columns={columns} rows={rows} choice={choice} /> : <Largest bars={bars(rows, choice.by, choice.y)} />}
    </div>
  )
}

function OverTime({ columns, rows, choice }: { columns: Column[]; rows: Cell[][]; choice: Choice }) {
  const drawn = lines(rows, choice.x as number, choice.y, choice.by)
  const y = columns[choice.y]?.name ?? ''
  if (drawn.x.length === 0) return <p className="empty">No row has come yet.</p>
  return (
    <>
      <Chart x={drawn.x} lines={drawn.lines} height={300} label={`${y} over ${columns[choice.x as number]?.name ?? 'time'}`} show={short} utc={columns[choice.x as number]?.type.type !== 'TIMESTAMP_WITH_LOCAL_TIME_ZONE'} legend dots={drawn.x.length < 80} />
      {drawn.more > 0 && <p className="faint">The {mostLines} with the most points are drawn; {drawn.more} are left out.</p>}
    </>
  )
}

function Largest({ bars }: { bars: Bar[] }) {
  if (bars.length === 0) return <p className="empty">No row has come yet.</p>
  const most = Math.max(...bars.map(b => Math.abs(b.value)), Number.MIN_VALUE)
  return (
    <>
      <table className="bars">
        <tbody>
          {bars.map((b, i) => (
            <tr key={i}>
              <th scope="row">{b.name}</th>
              <td aria-hidden="true"><span style={{ width: `${(Math.abs(b.value) / most) * 100}%` }} /></td>
              <td className="number">{b.value.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bars.length === mostBars && <p className="faint">The {mostBars} largest.</p>}
    </>
  )
}
