import { useState } from 'react'
import type { Statement } from '../../api.ts'
import { ask, statementPath } from '../../data/ask.ts'
import type { Run, Runs } from '../../data/runs.ts'
import { refresh, useFeed } from '../../data/use.ts'
import { Link } from '../../parts/link.tsx'
import { Phase } from '../../parts/phase.tsx'
import { Warnings } from '../../parts/warnings.tsx'
import { Results } from '../../results/results.tsx'
import { toStatement } from '../../router.ts'

/** RunList shows what became of the statements of a text, and the results of one. */
export function RunList({ runs }: { runs: Runs }) {
  const [chosen, choose] = useState<number>()
  const selects = runs.list.filter(r => r.statement?.status.traits?.sql_kind === 'SELECT')
  const shown = selects.find(r => r.id === chosen) ?? selects.at(-1)
  if (runs.list.length === 0) return null
  return (
    <>
      <section className="card runs" aria-label="What was run">
        <ol>
          {runs.list.map(run => (
            <Line key={run.id} run={run} shown={selects.length > 1 && run.id === shown?.id} onShow={selects.length > 1 && selects.includes(run) ? () => choose(run.id) : undefined} />
          ))}
        </ol>
        {runs.busy && runs.list.some(r => r.state === 'waiting') && <button type="button" className="small" onClick={() => runs.stop()}>Leave the rest</button>}
      </section>
      {shown?.statement && <Results key={shown.id} statement={shown.statement} />}
    </>
  )
}

function Line({ run, shown, onShow }: { run: Run; shown: boolean; onShow: (() => void) | undefined }) {
  const live = useFeed<Statement>(run.state === 'made' && run.name ? statementPath(run.name) : null).data ?? run.statement
  const phase = live?.status.phase
  const text = run.error ?? (phase === 'FAILED' || phase === 'DEGRADED' ? live?.status.detail : undefined)
  return (
    <li>
      <div className="run">
        <span className="state">
          {run.state === 'waiting' && <span className="faint">Waiting</span>}
          {run.state === 'left' && <span className="faint">Not run</span>}
          {run.state === 'failed' && <Phase phase="FAILED" />}
          {run.state === 'starting' && <Phase phase="PENDING" />}
          {run.state === 'made' && phase && <Phase phase={phase} />}
        </span>
        <code className="sql" title={run.sql}>{run.sql.replace(/\s+/g, ' ')}</code>
        {onShow && <button type="button" className="small" aria-pressed={shown} onClick={onShow}>Results</button>}
        {phase === 'RUNNING' && run.name && <Stop name={run.name} />}
        {run.state === 'made' && run.name && <Link to={toStatement(run.name)}>{run.name}</Link>}
      </div>
      {text && <pre className="fault" role="alert">{text}</pre>}
      <Warnings all={live?.status.warnings ?? []} folded />
    </li>
  )
}

function Stop({ name }: { name: string }) {
  const stop = async () => {
    try {
      await ask('PATCH', statementPath(name), [{ op: 'replace', path: '/spec/stopped', value: true }])
    } finally {
      refresh()
    }
  }
  return <button type="button" className="small" onClick={() => void stop()}>Stop</button>
}
