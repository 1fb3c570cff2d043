import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import type { Statement } from '../api.ts'
import { count, plural } from '../format.ts'
import { Choice } from '../parts/choice.tsx'
import { Grid } from './grid.tsx'
import { kept, readerOf } from './reader.ts'
import { choose } from './series.ts'

const ResultsChart = lazy(() => import('./results-chart.tsx').then(m => ({ default: m.ResultsChart })))

type Form = 'changes' | 'table' | 'chart'

const forms: { value: Form; text: string }[] = [
  { value: 'changes', text: 'Changelog' },
  { value: 'table', text: 'Table' },
  { value: 'chart', text: 'Chart' },
]

/** Results shows the rows of a SELECT as they come: as changes, as the table that they make, or as a chart. */
export function Results({ statement }: { statement: Statement }) {
  const traits = statement.status.traits
  const columns = traits?.schema?.columns
  const reader = useMemo(
    () => (columns ? readerOf(statement.metadata.uid ?? statement.name, statement.name, columns, traits?.upsert_columns) : undefined),
    [statement.metadata.uid, statement.name, columns === undefined],
  )
  const [chosen, setForm] = useState<Form>()
  useSyncExternalStore(reader?.listen ?? none, reader?.look ?? zero)
  if (!reader || !columns) return <p className="faint">This statement has no results to read.</p>
  const appends = traits?.is_append_only ?? true
  const form = chosen ?? (appends ? 'changes' : 'table')
  const drawn = choose(reader.columns, []) !== undefined
  const reads = !reader.ended && !reader.error
  const rows = reads || reader.ended || reader.came > 0
  return (
    <section className="card results" aria-label="Results">
      <div className="head">
        <h2>Results</h2>
        <span className="faint" role="status">{said(reader)}</span>
        <span className="space" />
        <Choice label="Form" of={forms.filter(f => drawn || f.value !== 'chart')} chosen={form} onChoose={setForm} />
        {reads && <button type="button" className="small" onClick={() => reader.pause(!reader.paused)}>{reader.paused ? 'Go on' : 'Pause'}</button>}
      </div>
      {reader.error && <p className="notice warn">{reader.error.message}.</p>}
      {reader.resumed && <p className="faint">Rows that were read before the page was loaded anew are not kept.</p>}
      {rows && form === 'changes' && <Grid columns={reader.columns} changes={reader.changes} follow={reads} />}
      {rows && form === 'table' && <Grid columns={reader.columns} rows={reader.table.list()} follow={reads && appends} />}
      {rows && form === 'chart' && (
        <Suspense fallback={<p className="faint">Loading…</p>}>
          <ResultsChart columns={reader.columns} rows={reader.table.list()} />
        </Suspense>
      )}
    </section>
  )
}

const none = () => () => {}
const zero = () => 0

function said(reader: { came: number; changes: unknown[]; table: { size: number; dropped: number }; ended: boolean; error?: Error | undefined; paused: boolean }): string {
  const parts = [plural(reader.came, 'change')]
  if (reader.came > kept) parts.push(`the last ${count(kept)} kept`)
  parts.push(`${plural(reader.table.size, 'row')} in the table`)
  if (reader.table.dropped > 0) parts.push('the oldest left out')
  parts.push(reader.ended ? 'complete' : reader.error ? 'not read any more' : reader.paused ? 'paused' : 'live')
  return parts.join(' · ')
}
