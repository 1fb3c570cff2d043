import { useMemo, useState } from 'react'
import type { Profile, Timeline as Data } from '../../api.ts'
import { statementPath } from '../../data/ask.ts'
import { useFeed } from '../../data/use.ts'
import { count, plural } from '../../format.ts'
import { Choice } from '../../parts/choice.tsx'
import { Explained } from '../../parts/explained.tsx'
import { Failing } from '../../parts/failing.tsx'
import type { Layers } from './draw.ts'
import { clock, eventsOf, summaryOf } from './events.ts'
import { join, sinceOf } from './join.ts'
import { Partitions } from './partitions.tsx'
import { Plot } from './plot.tsx'
import { sceneOf, type Axis, type Scene } from './scene.ts'

const spans = [1, 5, 10]
const minute = 60_000

const axes: { value: Axis; text: string }[] = [
  { value: 'event', text: 'Event time' },
  { value: 'behind', text: 'Behind now' },
]

const layers: { key: keyof Layers; text: string }[] = [
  { key: 'rows', text: 'Rows' },
  { key: 'late', text: 'Late rows' },
  { key: 'statement', text: 'Watermark of the statement' },
  { key: 'partitions', text: 'Watermarks of partitions' },
  { key: 'windows', text: 'Windows' },
  { key: 'spells', text: 'Idle and paused' },
]

/** Timeline is event time against wall clock. */
export function Timeline({ name }: { name: string }) {
  const path = statementPath(name, '/timeline')
  const pieces = useMemo(() => ({ path: (known: Data) => `${path}?since=${sinceOf(known)}`, join }), [path])
  const picture = useFeed<Data>(path, 500, pieces)
  const profile = useFeed<Profile>(statementPath(name, '/profile')).data
  const [frozen, freeze] = useState<Data | null>(null)
  const [chosen, choose] = useState<number | null>(null)
  const [shown, show] = useState<Layers>({ rows: true, late: true, partitions: true, statement: true, windows: true, spells: true })
  const [hidden, hide] = useState<ReadonlySet<string>>(new Set())
  const [axis, setAxis] = useState<Axis>('event')
  const [cursor, setCursor] = useState<number | null>(null)
  const data = frozen ?? picture.data
  const due = useMemo(() => (frozen ? [] : dueOf(profile)), [profile, frozen])
  const span = chosen ?? fitting(data)
  const scene = useMemo(() => data && sceneOf(data, { from: data.at - span * minute, to: data.at }, hidden, due, axis), [data, span, hidden, due, axis])

  if (!data || !scene) return picture.failing ? <Failing picture={picture} what="The timeline" /> : <p className="faint">Loading…</p>
  if (data.sources.length === 0)
    return (
      <p className="empty">
        {data.running
          ? 'Nothing in this statement has a watermark, so there is no event time to show.'
          : 'The statement does not run, so there is nothing to see. What was is forgotten when it stops.'}
      </p>
    )
  return (
    <section className="timeline" aria-labelledby="timeline-title">
      <Failing picture={picture} what="The timeline" />
      <div className="timeline-head">
        <h2 id="timeline-title">Event time against wall clock</h2>
        <Explained topic="late" />
        <span className="space" />
        <Choice label="Second axis" of={axes} chosen={axis} onChoose={setAxis} />
        <Choice label="How much is shown" of={spans.map(s => ({ value: s, text: `${s} min` }))} chosen={span} onChoose={choose} />
        <button type="button" aria-pressed={frozen !== null} onClick={() => freeze(frozen ? null : data)}>
          {frozen ? 'Go on' : 'Pause'}
        </button>
      </div>
      {frozen && <p className="notice">Paused at {clock(frozen.at).slice(0, 8)}. The statement goes on.</p>}
      {!data.running && <p className="notice">The statement does not run any more.</p>}
      <div className="card timeline-card">
        <p className="timeline-axis timeline-axis-up">{axis === 'event' ? 'event time' : 'event time behind the clock'}</p>
        <Plot scene={scene} layers={shown} due={due} cursor={cursor} onCursor={setCursor} />
        <Partitions timeline={data} scene={scene} hidden={hidden} onHide={hide} cursor={cursor} spells={shown.spells} />
        <p className="timeline-axis">wall clock, UTC</p>
        <Legend shown={shown} onShow={show} />
      </div>
      <p className="timeline-summary">{summaryOf(scene)}</p>
      <Happened scene={scene} />
      <p className="faint">
        A row is where its event time and the moment at which it came meet. A window is open from its first row on and fires when the watermark of the statement passes its end. A row that
        comes below the watermark is late. Rows are a sample; late ones come first in it.
      </p>
    </section>
  )
}

/** fitting is the shortest span in which there was something. */
export function fitting(data: Data | undefined): number {
  if (!data) return spans[0]!
  const last = Math.max(...data.sources.flatMap(s => s.splits.map(p => p.rows.at(-1)?.at ?? 0)), data.firings.at(-1)?.at ?? 0)
  return spans.find(s => data.at - last < s * minute * 0.8) ?? spans[0]!
}

/** dueOf is the event times that operators wait for. */
export function dueOf(profile: Profile | undefined): number[] {
  const all = new Set<number>()
  for (const task of profile?.tasks ?? []) for (const o of task.operators) if (o.next) all.add(o.next.at)
  return [...all]
}

function Legend({ shown, onShow }: { shown: Layers; onShow: (to: Layers) => void }) {
  return (
    <div className="timeline-legend" role="group" aria-label="What is shown">
      {layers.map(l => (
        <button key={l.key} type="button" className="small" aria-pressed={shown[l.key]} onClick={() => onShow({ ...shown, [l.key]: !shown[l.key] })}>
          <Sign of={l.key} /> {l.text}
        </button>
      ))}
      <span className="timeline-key faint">
        <svg width="22" height="12" aria-hidden="true">
          <path className="sign-now" d="M1 11L21 1" />
        </svg>
        event time is now
      </span>
      <span className="timeline-key faint">
        <svg width="22" height="12" aria-hidden="true">
          <path className="sign-due" d="M0 6H22" />
        </svg>
        next thing due
      </span>
    </div>
  )
}

/** Sign is how a layer looks in the picture. */
function Sign({ of }: { of: keyof Layers }) {
  return (
    <svg width="22" height="12" aria-hidden="true" className={`sign sign-${of}`}>
      {of === 'rows' && (
        <>
          <rect x="2" y="7" width="3" height="3" />
          <rect x="9" y="4" width="3" height="3" />
          <rect x="16" y="2" width="3" height="3" />
        </>
      )}
      {of === 'late' && <path d="M7.5 2.5l7 7m0-7l-7 7" />}
      {(of === 'statement' || of === 'partitions') && <path d="M1 10H8V6H15V2H21" />}
      {of === 'windows' && (
        <>
          <rect x="3.5" y="2.5" width="13" height="8" className="open" />
          <path d="M16.5 2v9" />
        </>
      )}
      {of === 'spells' && <rect x="1" y="1" width="20" height="10" />}
    </svg>
  )
}

const listed = 60

/** Happened is the picture as a table. */
function Happened({ scene }: { scene: Scene }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="timeline-table" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>What happened, as a table</summary>
      {open && <Table scene={scene} />}
    </details>
  )
}

function Table({ scene }: { scene: Scene }) {
  const events = eventsOf(scene, listed)
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="What happened">
      <table>
        <caption className="visually-hidden">Windows that fired, partitions that took no part, late rows; the newest first</caption>
        <thead>
          <tr>
            <th scope="col">When, UTC</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {events.map((e, i) => (
            <tr key={i}>
              <td className="mono">{clock(e.at)}</td>
              <td>{e.what}</td>
            </tr>
          ))}
          {events.length === 0 && (
            <tr>
              <td colSpan={2}>{scene.rows === 0 ? 'Nothing: no row has come.' : `No window fired and no row was late; ${plural(scene.rows, 'row')} came.`}</td>
            </tr>
          )}
        </tbody>
      </table>
      {events.length === listed && <p className="faint">The last {count(listed)}.</p>}
    </div>
  )
}
