import type { ReactNode } from 'react'
import type { Profile } from '../../api.ts'
import { statementPath } from '../../data/ask.ts'
import { useFeed } from '../../data/use.ts'
import { ago, count, plural, span } from '../../format.ts'
import { Delay } from '../../parts/delay.tsx'
import { Explained } from '../../parts/explained.tsx'
import { Failing } from '../../parts/failing.tsx'
import { go, useSearch } from '../../router.ts'
import type { Topic } from '../../explain.ts'
import { Graph } from './graph.tsx'
import { standings } from './standing.ts'
import { Streams } from './streams.tsx'
import { TaskPanel, type Pane } from './task.tsx'

/** Profiler is the tasks of a statement, what they do and where they wait. */
export function Profiler({ name }: { name: string }) {
  const picture = useFeed<Profile>(statementPath(name, '/profile'))
  const search = new URLSearchParams(useSearch())
  const profile = picture.data
  if (!profile) return picture.failing ? <Failing picture={picture} what="The profile" /> : <p className="faint">Loading…</p>
  if (!profile.running)
    return (
      <>
        <Failing picture={picture} what="The profile" />
        <p className="empty">The statement does not run, so there are no tasks to look at.</p>
      </>
    )
  const standing = standings(profile)
  const wanted = search.get('task')
  const selected = profile.tasks.find(t => t.task_id === wanted) ?? profile.tasks.find(t => standing.has(t.task_id)) ?? profile.tasks[0]
  const show = (task: string, pane: Pane) => go(`${location.pathname}?${new URLSearchParams({ task, pane })}`, true)
  const pane = (search.get('pane') ?? 'task') as Pane
  return (
    <section className="profiler" aria-label="Profiler">
      <Failing picture={picture} what="The profile" />
      <dl className="figures">
        <Figure of="Input delay" topic="delay" note={profile.input && !profile.input.final ? `watermark ${profile.input.watermark}` : undefined}>
          <Delay mark={profile.input} />
        </Figure>
        <Figure of="Output delay" note={profile.output && !profile.output.final ? `watermark ${profile.output.watermark}` : undefined}>
          <Delay mark={profile.output} />
        </Figure>
        <Figure of="Late rows" topic="late" note={profile.dropped > 0 ? `${count(profile.dropped)} dropped by operators` : 'none dropped by an operator'}>
          {count(profile.late)}
        </Figure>
        <Figure of="Counted since" topic="sinceRestart" note={profile.restarts > 0 ? plural(profile.restarts, 'restart') : 'no restart'}>
          {profile.began ? ago(profile.began, profile.at) : '–'}
        </Figure>
      </dl>
      <p className="faint">
        {profile.window_ms ? `Rates and shares are over the last ${span(profile.window_ms)}. ` : 'Rates and shares are there in a moment. '}
        Busy, waiting for those behind and idle are of the worst instance of a task. <Explained topic="idleness" />
      </p>
      <Graph tasks={profile.tasks} standing={standing} selected={selected?.task_id} onSelect={id => show(id, pane)} />
      {selected && <TaskPanel key={selected.task_id} name={name} profile={profile} task={selected} pane={pane} onPane={p => show(selected.task_id, p)} />}
      <Streams profile={profile} />
    </section>
  )
}

/** Figure is one number that matters, under its name. */
function Figure({ of, topic, note, children }: { of: string; topic?: Topic; note?: string | undefined; children: ReactNode }) {
  return (
    <div className="figure">
      <dt>
        {of} {topic && <Explained topic={topic} />}
      </dt>
      <dd>
        <strong>{children}</strong>
        {note && <span className="faint">{note}</span>}
      </dd>
    </div>
  )
}
