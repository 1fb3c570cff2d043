import { useEffect, useMemo, useState } from 'react'
import type { History } from '../../api.ts'
import { address, folded, howFarBack, known, most, perMinute, spanOf, sum, times } from '../../data/past.ts'
import { useFeed, useLast } from '../../data/use.ts'
import { short, span } from '../../format.ts'
import { Chart, type Line } from '../../parts/chart.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Failing } from '../../parts/failing.tsx'

/** series are those that are drawn. */
const series = ['input_delay_ms', 'output_delay_ms', 'pending_records', 'num_records_in', 'num_records_out', 'num_late_records_in', 'max_input_lateness_ms', 'num_restarts']

/** Charts show how a statement was, up to seven days back. */
export function Charts({ name }: { name: string }) {
  const [back, setBack] = useState<string>('1 h')
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const path = address(name, spanOf(back), now, series)
  const picture = useFeed<History>(path, 15_000)
  const h = useLast(picture.data)
  const drawn = useMemo(() => (h ? charts(h) : []), [h])
  const x = useMemo(() => (h ? times(h) : []), [h])
  const some = drawn.some(c => known(c.lines))
  return (
    <section className="past-charts" aria-label="History">
      <div className="head">
        <h2>History</h2>
        <span className="space" />
        <Choice label="How far back" of={howFarBack} chosen={back} onChoose={setBack} />
      </div>
      <Failing picture={picture} what="History" />
      {h && !some && <p className="faint">Nothing is known of this time. The first minute has to pass.</p>}
      {h?.notes?.map(note => <p key={note} className="faint">{note}</p>)}
      {h && some && (
        <div className="charts">
          {drawn.map(c => (
            <figure key={c.title} className="card">
              <figcaption><h3>{c.title}</h3> {c.lines.length > 1 && <Key lines={c.lines} />}</figcaption>
              {known(c.lines) ? <Chart x={x} lines={c.lines} height={120} label={said(c.title, c.lines, c.show)} show={c.show} filled={c.lines.length === 1} /> : <p className="faint">Nothing is known.</p>}
            </figure>
          ))}
        </div>
      )}
    </section>
  )
}

interface Drawn { title: string; lines: Line[]; show: (n: number) => string }

function charts(h: History): Drawn[] {
  return [
    { title: 'Delay behind now', show: roughly, lines: [{ name: 'input', values: folded(h, 'input_delay_ms', most) }, { name: 'output', values: folded(h, 'output_delay_ms', most) }] },
    { title: 'Messages behind', show: short, lines: [{ name: 'behind', values: folded(h, 'pending_records', sum) }] },
    { title: 'Messages per minute', show: short, lines: [{ name: 'in', values: perMinute(h, 'num_records_in') }, { name: 'out', values: perMinute(h, 'num_records_out') }] },
    { title: 'Late rows', show: short, lines: [{ name: 'late', values: folded(h, 'num_late_records_in', sum) }] },
    { title: 'Largest lateness', show: roughly, lines: [{ name: 'lateness', values: folded(h, 'max_input_lateness_ms', most) }] },
    { title: 'Restarts', show: short, lines: [{ name: 'restarts', values: folded(h, 'num_restarts', sum) }] },
  ]
}

/** roughly is a span for an axis, whose marks between whole milliseconds have none. */
const roughly = (ms: number) => (ms === 0 ? '0' : ms > 0 && ms < 1 ? '' : span(ms).split(' ').slice(0, 2).join(' '))

/** said is a chart in words: the last value of each line. */
function said(title: string, lines: Line[], show: (n: number) => string): string {
  const last = lines.map(l => {
    const v = l.values.findLast(x => typeof x === 'number')
    return `${l.name} ${typeof v !== 'number' ? 'unknown' : show(v)}`
  })
  return `${title}; at last: ${last.join(', ')}`
}

function Key({ lines }: { lines: Line[] }) {
  return (
    <span className="key">
      {lines.map((l, i) => (
        <span key={l.name}>
          <svg viewBox="0 0 18 6" width="18" height="6" aria-hidden="true"><line x1="0" y1="3" x2="18" y2="3" className={`c${i + 1}`} /></svg> {l.name}
        </span>
      ))}
    </span>
  )
}
