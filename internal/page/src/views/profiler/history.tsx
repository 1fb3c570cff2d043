import { useEffect, useMemo, useState } from 'react'
import type { History, ProfileSource } from '../../api.ts'
import { statementPath } from '../../data/ask.ts'
import { useFeed } from '../../data/use.ts'
import { clock, count, span } from '../../format.ts'
import { moreLate } from '../../explain.ts'
import { Failing } from '../../parts/failing.tsx'
import { Link } from '../../parts/link.tsx'
import { toAdvice } from '../../router.ts'
import { Bars, type Steps } from './bars.tsx'

const minute = 60_000
const spans = [
  { text: '1 h', of: 60 * minute, step: minute },
  { text: '6 h', of: 360 * minute, step: 5 * minute },
  { text: '24 h', of: 1440 * minute, step: 15 * minute },
  { text: '7 d', of: 10_080 * minute, step: 120 * minute },
] as const

/** LateHistory is the late rows of a task that reads, and how late they were, up to seven days back. */
export function LateHistory({ name, source, task, at }: { name: string; source: ProfileSource; task: string; at: number }) {
  const [chosen, choose] = useState<(typeof spans)[number]>(spans[0])
  const to = Math.ceil(at / minute) * minute
  const path = useMemo(() => {
    const from = Math.floor((to - chosen.of) / chosen.step) * chosen.step
    return statementPath(name, `/history?${new URLSearchParams({ from: String(from), to: String(to), step: String(chosen.step) })}`)
  }, [name, to, chosen])
  const picture = useFeed<History>(path, 20_000)
  const [last, keep] = useState<History | undefined>() // while the next minute is asked for
  useEffect(() => {
    if (picture.data) keep(picture.data)
  }, [picture.data])
  const history = picture.data ?? (last?.step_ms === chosen.step ? last : undefined)
  const moment = (t: number) =>
    clock(t)
      .slice(0, chosen.of > 1440 * minute ? 10 : 16)
      .slice(chosen.of > 1440 * minute ? 5 : 11)
  return (
    <section className="history" aria-label="History">
      <div className="history-head">
        <h3>Late rows up to 7 days back</h3>
        <div className="segments" role="group" aria-label="How far back">
          {spans.map(s => (
            <button key={s.text} type="button" className="small" aria-pressed={s === chosen} onClick={() => choose(s)}>
              {s.text}
            </button>
          ))}
        </div>
      </div>
      {history ? (
        <>
          <Bars
            title={`Late rows per ${span(history.step_ms)}`}
            kind="late"
            steps={stepsOf(history, 'task/num_late_records_in', task, chosen.of / chosen.step)}
            say={count}
            moment={moment}
          />
          <Bars title="Largest lateness" kind="lateness" steps={stepsOf(history, 'task/max_input_lateness_ms', task, chosen.of / chosen.step)} say={span} moment={moment} />
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
