import { useState } from 'react'
import type { History, ProfileSource } from '../../api.ts'
import { address, howFarBack, spanOf } from '../../data/past.ts'
import { useFeed, useLast } from '../../data/use.ts'
import { clock, count, span } from '../../format.ts'
import { moreLate } from '../../explain.ts'
import { Choice } from '../../parts/choice.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Link } from '../../parts/link.tsx'
import { toAdvice } from '../../router.ts'
import { Bars, type Steps } from './bars.tsx'

const series = ['task/num_late_records_in', 'task/max_input_lateness_ms'] as const

/** LateHistory is the late rows of a task that reads, and how late they were, up to seven days back. */
export function LateHistory({ name, source, task, at }: { name: string; source: ProfileSource; task: string; at: number }) {
  const [chosen, choose] = useState<string>('1 h')
  const { back, step } = spanOf(chosen)
  const picture = useFeed<History>(address(name, spanOf(chosen), at, series), 20_000)
  const last = useLast(picture.data) // while the next minute is asked for
  const history = last?.step_ms === step ? last : undefined
  const days = back > 1440 * 60_000
  const moment = (t: number) =>
    clock(t)
      .slice(0, days ? 10 : 16)
      .slice(days ? 5 : 11)
  return (
    <section className="history" aria-label="History">
      <div className="history-head">
        <h3>Late rows up to 7 days back</h3>
        <Choice label="How far back" of={howFarBack} chosen={chosen} onChoose={choose} />
      </div>
      {history ? (
        <>
          <Bars
            title={`Late rows per ${span(history.step_ms)}`}
            kind="late"
            steps={stepsOf(history, series[0], task, back / step)}
            say={count}
            moment={moment}
          />
          <Bars title="Largest lateness" kind="lateness" steps={stepsOf(history, series[1], task, back / step)} say={span} moment={moment} />
        </>
      ) : picture.failing ? (
        <Failing picture={picture} what="The history" />
      ) : (
        <p className="faint">Loading…</p>
      )}
      <p className="faint">
        {moreLate.title}? {moreLate.text} <Link to={toAdvice(name, source.table)}>Advice for {source.table}</Link>
      </p>
    </section>
  )
}

/** stepsOf is what a series tells of a task; if it tells nothing, of so many steps nothing is known. */
export function stepsOf(history: History, name: string, task: string, steps: number): Steps {
  const found = history.series.find(s => s.name === name && s.labels?.flink_task_id === task)
  return { from: history.from, step: history.step_ms, values: found?.values ?? Array<null>(steps).fill(null) }
}
