import { useState } from 'react'
import type { Advice as Data } from '../../api.ts'
import { ask, everywhere } from '../../data/ask.ts'
import { refresh, useFeed } from '../../data/use.ts'
import { afterAlter } from '../../explain.ts'
import { count, plural, short, span } from '../../format.ts'
import { Copy } from '../../parts/copy.tsx'
import { Failing } from '../../parts/failing.tsx'
import { decades, joined, place, type Advised, type Disorder, type Report } from './report.ts'

/** Advice is what delays would do to a table. */
export function Advice({ table }: { table: string }) {
  const [done, finish] = useState(false)
  const path = `${everywhere}/tables/${encodeURIComponent(table)}/advice`
  const picture = useFeed<Data>(path, done ? 60_000 : 1000)
  const data = picture.data
  if (data && done !== (data.state !== 'running')) finish(data.state !== 'running')
  if (!data) return picture.failing ? <Failing picture={picture} what={`Advice for ${table}`} /> : <p className="faint">Loading…</p>
  const report = data.report as Report | undefined
  return (
    <section className="advice" aria-labelledby="advice-title">
      <div className="advice-head">
        <h2 id="advice-title">How long a delay for {table}?</h2>
        {data.state !== 'running' && (
          <button type="button" className="small" onClick={() => void ask('DELETE', path).then(refresh, refresh)}>
            Read it again
          </button>
        )}
      </div>
      <Failing picture={picture} what="The advice" />
      {data.state === 'running' && (
        <p className="notice" role="status">
          Rows are being read: {count(data.rows)} up to now. What is below is of those.
        </p>
      )}
      {data.state === 'failed' && <p className="notice bad">{data.detail}</p>}
      {report && (report.rows > 0 ? <Found report={report} /> : <p className="empty">No row with an event time has come yet.</p>)}
    </section>
  )
}

function Found({ report }: { report: Report }) {
  return (
    <>
      <p className="faint">
        {plural(report.rows, 'row')}
        {report.null_times > 0 && `, and ${plural(report.null_times, 'row')} without a time`}, {report.column} from {report.oldest} to {report.newest}.
        {report.present && ` The watermark ${report.watermark} made ${plural(report.present.late, 'row')} late, ${share(report.present.share)}.`}
      </p>
      <Targets report={report} />
      <Delays report={report} />
      <Distribution report={report} />
      <Findings report={report} />
    </>
  )
}

const percents = (a: Advised) => `${a.percents.join(', ')} %`

function Targets({ report }: { report: Report }) {
  const all = joined(report.advice ?? [])
  if (all.length === 0) return null
  return (
    <section className="card" aria-labelledby="advice-targets">
      <h3 id="advice-targets">The shortest delay, rounded up, for so many rows on time</h3>
      <ul className="targets">
        {all.map(a => (
          <li key={a.on_time_percent}>
            <strong>{percents(a)}</strong>
            {a.delay_ms === undefined ? (
              <span>no delay is enough: {plural(a.late, 'row')} would be late even with the longest</span>
            ) : (
              <span>
                {span(a.delay_ms)}: {plural(a.late, 'row')} late, results come {later(a.later_ms)}
              </span>
            )}
            {a.sql && (
              <span className="sql-line">
                <code>{ended(a.sql)}</code> <Copy text={ended(a.sql)} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {all.some(a => a.sql) && <p className="faint">{afterAlter}</p>}
    </section>
  )
}

const isSQL = (text: string) => /^(ALTER|SET|CREATE)\b/.test(text)

const ended = (sql: string) => (sql.trimEnd().endsWith(';') ? sql : `${sql};`)

/** later is by how much results come later, as the rest of a sentence. */
export const later = (ms: number) => (ms === 0 ? 'as now' : ms > 0 ? `${span(ms)} later` : `${span(-ms)} sooner`)

const share = (part: number) => {
  const percent = part * 100
  return `${percent === 0 || percent >= 10 ? percent.toFixed(0) : percent >= 0.1 ? percent.toFixed(1) : percent.toPrecision(1)} %`
}

function Delays({ report }: { report: Report }) {
  const all = report.delays ?? []
  const most = Math.max(...all.map(d => d.share), 0)
  return (
    <section className="card" aria-labelledby="advice-delays">
      <h3 id="advice-delays">Delays: rows that would be late</h3>
      <div className="scroll" tabIndex={0} role="region" aria-labelledby="advice-delays">
        <table>
          <thead>
            <tr>
              <th scope="col">Delay</th>
              <th scope="col" className="number">
                Late
              </th>
              <th scope="col" className="number">
                Share
              </th>
              <th scope="col" aria-label="Share as a bar" />
              <th scope="col" className="number">
                Late in own split
              </th>
              <th scope="col">Results come</th>
            </tr>
          </thead>
          <tbody>
            {all.map(d => (
              <tr key={d.delay_ms} className={d.now ? 'now' : undefined}>
                <th scope="row">
                  {d.delay_ms === 0 ? 'none' : span(d.delay_ms)} {d.now && <span className="tag">now</span>}
                </th>
                <td className="number">{count(d.late)}</td>
                <td className="number">{share(d.share)}</td>
                <td className="share-cell">
                  <span className="share-bar" aria-hidden="true">
                    <i className="late" style={{ width: `${most > 0 ? (d.share / most) * 100 : 0}%` }} />
                  </span>
                </td>
                <td className="number">{count(d.late_in_own_split)}</td>
                <td>{later(d.later_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const quantiles = [
  ['50 %', 'p50_ms'],
  ['90 %', 'p90_ms'],
  ['99 %', 'p99_ms'],
  ['99.9 %', 'p99_9_ms'],
  ['99.99 %', 'p99_99_ms'],
] as const

const shownSplits = 100

/** Distribution is by how much rows are older than the newest before them in their partition: quantiles in numbers, and as a strip on an axis of tenfolds. */
function Distribution({ report }: { report: Report }) {
  const splits = report.splits ?? []
  const longest = Math.max(10, ...splits.map(s => s.out_of_order.worst?.by_ms ?? 0))
  const lines = splits.length > 1 ? [{ name: 'all', rows: report.rows, out_of_order: report.out_of_order }, ...splits] : splits
  return (
    <section className="card" aria-labelledby="advice-disorder">
      <h3 id="advice-disorder">Out of order: by how much a row is older than the newest before it in its partition</h3>
      <div className="scroll" tabIndex={0} role="region" aria-labelledby="advice-disorder">
        <table>
          <thead>
            <tr>
              <th scope="col">Partition</th>
              <th scope="col" className="number">
                Rows
              </th>
              <th scope="col" className="number">
                Out of order
              </th>
              {quantiles.map(([text]) => (
                <th key={text} scope="col" className="number">
                  {text}
                </th>
              ))}
              <th scope="col" className="number">
                Largest
              </th>
              <th scope="col" className="strip-head">
                <Axis longest={longest} />
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, shownSplits).map(l => (
              <tr key={l.name}>
                <th scope="row">{l.name || 'others'}</th>
                <td className="number">{short(l.rows)}</td>
                <td className="number">{share(l.out_of_order.share)}</td>
                {quantiles.map(([text, key]) => (
                  <td key={text} className="number">
                    {span(l.out_of_order[key])}
                  </td>
                ))}
                <td className="number">{span(l.out_of_order.worst?.by_ms ?? 0)}</td>
                <td>
                  <Strip of={l.out_of_order} longest={longest} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > shownSplits && <p className="faint">and {plural(lines.length - shownSplits, 'more partition')}</p>}
    </section>
  )
}

function Axis({ longest }: { longest: number }) {
  return (
    <span className="strip-axis" aria-hidden="true">
      {decades(longest).map(d => (
        <small key={d} style={{ left: `${place(d, longest) * 100}%` }}>
          {span(d)}
        </small>
      ))}
    </span>
  )
}

/** Strip is a distribution: the darker, the more rows are out of order by as much or more. */
function Strip({ of, longest }: { of: Disorder; longest: number }) {
  const edges = [0, ...quantiles.map(([, key]) => place(of[key], longest)), place(of.worst?.by_ms ?? 0, longest)]
  return (
    <span className="strip" aria-hidden="true">
      {edges.slice(1).map((to, i) => (
        <i key={i} className={`band-${i}`} style={{ left: `${edges[i]! * 100}%`, width: `${Math.max(0, to - edges[i]!) * 100}%` }} />
      ))}
    </span>
  )
}

function Findings({ report }: { report: Report }) {
  const all = report.findings ?? []
  if (all.length === 0) return null
  return (
    <section className="card" aria-labelledby="advice-findings">
      <h3 id="advice-findings">Findings</h3>
      <ul className="findings">
        {all.map(f => (
          <li key={f.name}>
            <span className="tag warn">{f.name}</span> {f.text}
            {(f.remedies ?? []).map(r => (
              <span key={r} className="sql-line">
                <code>{isSQL(r) ? ended(r) : r}</code> {isSQL(r) && <Copy text={ended(r)} />}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
