import type { Timeline, TimelineSplit } from '../../api.ts'
import { clock } from './events.ts'
import { isTime, markAt, spellAt, splitKey, type Scene } from './scene.ts'
import { span } from '../../format.ts'

const most = 12

interface Lane {
  key: string
  source: string
  split: TimelineSplit
  color: number
}

/** Partitions has a lane for each: when it took part in the watermark, and a switch that hides it. Those that take no part, and those that are furthest back, come first if there are many. */
export function Partitions({
  timeline,
  scene,
  hidden,
  onHide,
  cursor,
  spells,
}: {
  timeline: Timeline
  scene: Scene
  hidden: ReadonlySet<string>
  onHide: (to: ReadonlySet<string>) => void
  cursor: number | null
  spells: boolean
}) {
  const { view } = scene
  const several = timeline.sources.length > 1
  let color = 0
  const all: Lane[] = timeline.sources.flatMap(source => source.splits.map(split => ({ key: splitKey(source.name, split.name), source: source.name, split, color: color++ })))
  const lanes = all.length <= most ? all : chosen(all)
  const left = timeline.sources.reduce((n, s) => n + (s.more ?? 0), 0) + all.length - lanes.length
  const at = cursor ?? view.to
  const percent = (moment: number) => ((moment - view.from) / (view.to - view.from)) * 100
  const toggle = (key: string) => {
    const next = new Set(hidden)
    if (!next.delete(key)) next.add(key)
    onHide(next)
  }
  return (
    <div className="lanes" role="group" aria-label="Partitions">
      {lanes.map(lane => {
        const mark = markAt(lane.split.marks, at)
        const state = spellAt(lane.split.spells, at)
        const value = mark == null ? 'no watermark' : !isTime(mark) ? 'ended' : clock(mark).slice(0, 10)
        return (
          <div key={lane.key} className="lane">
            <button
              type="button"
              className={`lane-name series-${(lane.color % 6) + 1}`}
              aria-pressed={!hidden.has(lane.key)}
              title={several ? `${lane.source}: ${lane.split.name}` : lane.split.name}
              onClick={() => toggle(lane.key)}
            >
              <i aria-hidden="true" />
              <span>{lane.split.name}</span>
            </button>
            <div className={`lane-strip series-${(lane.color % 6) + 1}`} aria-hidden="true">
              <div className="lane-active" style={{ left: `${Math.min(100, Math.max(0, percent(timeline.from)))}%` }} />
              {spells &&
                lane.split.spells
                  .filter(s => s.from < view.to && (!s.to || s.to > view.from))
                  .map(s => {
                    const [from, to] = [Math.max(0, percent(s.from)), percent(s.to || view.to)]
                    return (
                      <div key={s.from} className={`lane-spell ${s.state}`} style={{ left: `${from}%`, width: `${Math.max(0.3, to - from)}%` }}>
                        <span>
                          {s.state} {span((s.to || view.to) - s.from)}
                        </span>
                      </div>
                    )
                  })}
            </div>
            <span className="lane-value">
              {value}
              {state !== 'active' && <b> {state}</b>}
            </span>
          </div>
        )
      })}
      {left > 0 && <p className="faint">and {left} more</p>}
    </div>
  )
}

function chosen(all: Lane[]): Lane[] {
  const last = (l: Lane) => l.split.marks.at(-1)?.event ?? -Infinity
  const out = (l: Lane) => (l.split.spells.some(s => !s.to) ? 0 : 1)
  const first = [...all].sort((a, b) => out(a) - out(b) || last(a) - last(b)).slice(0, most)
  return all.filter(l => first.includes(l))
}
