import type { ReactNode } from 'react'
import type { Counted, Profile } from '../../api.ts'
import { ago, bytes, count, perMinute, plural, span } from '../../format.ts'
import type { Topic } from '../../explain.ts'
import { Delay } from '../../parts/delay.tsx'
import { Explained } from '../../parts/explained.tsx'

/** Figures are the numbers of a statement that one looks at first. */
export function Figures({ profile }: { profile: Profile }) {
  const rows = (all: { rows: Counted }[]): Counted => ({ total: all.reduce((n, x) => n + x.rows.total, 0), ...rate(all.map(x => x.rows.per_second)) })
  const read = rows(profile.sources)
  const written = rows(profile.sinks)
  const known = profile.sources.map(s => s.behind).filter(b => b !== undefined)
  const skipped = profile.sources.reduce((n, s) => n + s.skipped, 0)
  const untimed = profile.sources.reduce((n, s) => n + s.null_times, 0)
  const c = profile.checkpoints
  return (
    <dl className="numbers">
      <Figure name="Input delay" topic="delay" more={profile.input?.watermark}><Delay mark={profile.input} /></Figure>
      <Figure name="Output delay" more={profile.output?.watermark}><Delay mark={profile.output} /></Figure>
      <Figure name="Messages behind">{count(known.length > 0 ? known.reduce((a, b) => a + b, 0) : undefined)}</Figure>
      <Figure name="Messages in / min" more={`${count(read.total)} in all`}>{perMinute(read)}</Figure>
      <Figure name="Messages out / min" more={`${count(written.total)} in all`}>{perMinute(written)}</Figure>
      <Figure name="Late rows" topic="late" more={`${count(profile.dropped)} dropped by operators`}>{count(profile.late)}</Figure>
      {skipped + untimed > 0 && <Figure name="Left out" more={`${count(skipped)} unreadable, ${count(untimed)} without a time`}>{count(skipped + untimed)}</Figure>}
      {c && (
        <Figure name="Checkpoints" more={c.failed > 0 ? `${plural(c.failed, 'has', 'have')} failed${c.failure ? `: ${c.failure}` : ''}` : c.last_at ? `the last ${ago(c.last_at, profile.at)}, ${span(c.last_took_ms)}, ${bytes(c.last_size_bytes)}` : 'none yet'}>
          {count(c.completed)}
        </Figure>
      )}
      <Figure name="Restarts" topic="sinceRestart" more={profile.began ? `counts are of the last ${span(Math.max(0, profile.at - profile.began))}` : undefined}>{count(profile.restarts)}</Figure>
    </dl>
  )
}

function rate(all: (number | undefined)[]): { per_second?: number } {
  const known = all.filter(r => r !== undefined)
  return known.length > 0 ? { per_second: known.reduce((a, b) => a + b, 0) } : {}
}

function Figure({ name, topic, more, children }: { name: string; topic?: Topic; more?: string | undefined; children: ReactNode }) {
  return (
    <div>
      <dt>{name} {topic && <Explained topic={topic} />}</dt>
      <dd>
        <span className="value">{children}</span>
        {more && <span className="faint">{more}</span>}
      </dd>
    </div>
  )
}
