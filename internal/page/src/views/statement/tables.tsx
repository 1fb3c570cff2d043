import type { Profile, ProfileSource } from '../../api.ts'
import { bytes, count, dash, perMinute } from '../../format.ts'
import { longerDelay, moreLate } from '../../explain.ts'
import { Delay } from '../../parts/delay.tsx'
import { Link } from '../../parts/link.tsx'
import { Explained } from '../../parts/explained.tsx'
import { Sql } from '../../parts/sql.tsx'
import { toAdvice } from '../../router.ts'

/** Tables are those that a statement reads and writes, with their watermarks and what these follow. */
export function Tables({ name, profile }: { name: string; profile: Profile }) {
  return (
    <>
      {profile.sources.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label="Tables that are read">
          <table className="cards tables">
            <caption>Reads</caption>
            <thead>
              <tr>
                <th scope="col">Table</th>
                <th scope="col">Watermark</th>
                <th scope="col">Delay <Explained topic="delay" /></th>
                <th scope="col" className="number">In / min</th>
                <th scope="col" className="number">Bytes / s</th>
                <th scope="col" className="number">Behind</th>
                <th scope="col" className="number">Late <Explained topic="late" /></th>
                <th scope="col">Strategy in force</th>
              </tr>
            </thead>
            <tbody>
              {profile.sources.map(s => (
                <tr key={s.name}>
                  <th scope="row">{s.name}{s.state && <span className="tag">{s.state}</span>}</th>
                  <td data-label="Watermark" className="mono">{s.mark?.watermark || dash}</td>
                  <td data-label="Delay"><Delay mark={s.mark} /></td>
                  <td data-label="In / min" className="number">{perMinute(s.rows)}</td>
                  <td data-label="Bytes / s" className="number">{bytes(s.bytes.per_second)}</td>
                  <td data-label="Behind" className="number">{count(s.behind)}</td>
                  <td data-label="Late" className="number">{count(s.late)}{s.strategy.length > 0 && <Link className="advise" to={toAdvice(name, s.table)} title="How long the delay has to be for fewer late rows">advice</Link>}</td>
                  <td data-label="Strategy" className="wide"><Strategy source={s} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {profile.sinks.length > 0 && (
        <div className="scroll" tabIndex={0} role="region" aria-label="Tables that are written">
          <table className="cards tables">
            <caption>Writes</caption>
            <thead>
              <tr>
                <th scope="col">Table</th>
                <th scope="col">Watermark</th>
                <th scope="col">Delay</th>
                <th scope="col" className="number">Out / min</th>
                <th scope="col" className="number">Bytes / s</th>
                <th scope="col" className="number">Written</th>
              </tr>
            </thead>
            <tbody>
              {profile.sinks.map(s => (
                <tr key={s.name}>
                  <th scope="row">{s.name}</th>
                  <td data-label="Watermark" className="mono">{s.mark?.watermark || dash}</td>
                  <td data-label="Delay"><Delay mark={s.mark} /></td>
                  <td data-label="Out / min" className="number">{perMinute(s.rows)}</td>
                  <td data-label="Bytes / s" className="number">{bytes(s.bytes?.per_second)}</td>
                  <td data-label="Written" className="number">{count(s.rows.total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function Strategy({ source }: { source: ProfileSource }) {
  if (source.strategy.length === 0) return <span className="faint">None</span>
  const [first, ...rest] = source.strategy
  const longer = longerDelay(source)
  return (
    <details className="strategy">
      <summary><code>{first?.value}</code></summary>
      <dl>
        {[first, ...rest].map((line, i) => line && (
          <div key={i}>
            <dt>{line.name}</dt>
            <dd><code>{line.value}</code> {line.from && <span className="faint">{line.from}</span>}</dd>
          </div>
        ))}
      </dl>
      {source.late > 0 && longer && (
        <>
          <p><strong>{moreLate.title}?</strong> {moreLate.text}</p>
          <Sql text={longer} label="SQL that declares a longer delay" />
        </>
      )}
    </details>
  )
}
