import { useEffect, useState, type ReactNode } from 'react'
import type { Why as Data, WhyRemedy, WhySource, WhySplit, WhyWaiting } from '../../api.ts'
import { statementPath } from '../../data/ask.ts'
import { useFeed } from '../../data/use.ts'
import { plural, span } from '../../format.ts'
import { Copy } from '../../parts/copy.tsx'
import { Explained } from '../../parts/explained.tsx'
import { Failing } from '../../parts/failing.tsx'
import { left, sentence, standsStill, title } from './words.ts'

/** Why is what a statement waits for, in the words of tidemark doctor. With a source it tells of that one alone, with operators of what these wait for; nothing if nothing waits. */
export function Why({ name, source, operators }: { name: string; source?: string; operators?: readonly string[] }) {
  const picture = useFeed<Data>(statementPath(name, '/why'))
  const data = picture.data
  if (!data) return picture.failing ? <Failing picture={picture} what="What the statement waits for" /> : null
  if (!data.running) return null
  const sources = data.sources.filter(s => (source === undefined ? s.holds : s.name === source))
  if (sources.length === 0) return null
  const still = sources.some(standsStill)
  const waiting = source === undefined ? (data.waiting ?? []).filter(w => !operators || operators.includes(w.operator_id)) : []
  if (operators && waiting.length === 0) return null
  return (
    <section className={`card why ${still ? 'still' : 'moves'}`} aria-label="Why is this waiting?">
      <h2>{title(sources)}</h2>
      {operators && <Waiting all={waiting} />}
      {sources.map(s => (
        <Source key={s.name} source={s} at={Date.parse(data.at)} seen={picture.at ?? Date.now()} />
      ))}
      {!operators && <Waiting all={waiting} />}
    </section>
  )
}

const shown = 4

/** Waiting is the operators that hold something back until the watermark comes by. */
function Waiting({ all }: { all: WhyWaiting[] }) {
  if (all.length === 0) return null
  return (
    <Part of="What waits for the watermark">
      <ul>
        {all.slice(0, shown).map(w => (
          <li key={w.operator_id}>{w.text}</li>
        ))}
        {all.length > shown && <li className="faint">and {plural(all.length - shown, 'more operator')}</li>}
      </ul>
    </Part>
  )
}

function Source({ source, at, seen }: { source: WhySource; at: number; seen: number }) {
  const still = standsStill(source)
  return (
    <div className="why-source">
      <p>{sentence(source.text)}</p>
      {still && source.holders && source.holders.length > 0 && <Holders source={source} at={at} seen={seen} />}
      {source.awaited && source.awaited.length > 0 && <p>No row yet of: {source.awaited.join(', ')}</p>}
      {source.releases && source.releases.length > 0 && (
        <Part of={still ? 'What ends that' : 'What comes next'}>
          <ul>
            {source.releases.map(r => (
              <li key={r}>{r}</li>
            ))}
          </ul>
        </Part>
      )}
      {source.remedies && source.remedies.length > 0 && (
        <Part of="What you can do">
          <ul>
            {source.remedies.map(r => (
              <Remedy key={r.text} remedy={r} />
            ))}
          </ul>
        </Part>
      )}
    </div>
  )
}

function Part({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div className="why-part">
      <h3>{of}</h3>
      {children}
    </div>
  )
}

function Remedy({ remedy }: { remedy: WhyRemedy }) {
  const sql = remedy.sql && `${remedy.sql};`
  return (
    <li>
      {remedy.text}
      {sql && (
        <span className="sql-line">
          <code>{sql}</code> <Copy text={sql} />
        </span>
      )}
      {remedy.then && <span className="then">{remedy.then}</span>}
    </li>
  )
}

/** Holders are the splits that hold the watermark. */
function Holders({ source, at, seen }: { source: WhySource; at: number; seen: number }) {
  return (
    <div className="scroll">
      <table className="cards">
        <caption className="visually-hidden">Partitions that hold the watermark of {source.name}</caption>
        <thead>
          <tr>
            <th scope="col">
              Partition <Explained topic="split" />
            </th>
            <th scope="col">Is</th>
            <th scope="col">Since</th>
            <th scope="col">Last row</th>
            <th scope="col">Its watermark</th>
            <th scope="col">Left out</th>
          </tr>
        </thead>
        <tbody>
          {source.holders!.map(h => (
            <tr key={h.split} className="holds">
              <th scope="row">{h.split}</th>
              <td data-label="Is">
                {h.doing}
                {h.value && ` (${h.value})`}
                {h.upstream && `: ${h.upstream}`}
              </td>
              <td data-label="Since" className="number-text">
                {span(Math.max(0, at - Date.parse(h.since)))}
              </td>
              <td data-label="Last row">{h.last_row ?? <span className="faint">never</span>}</td>
              <td data-label="Its watermark">{h.watermark ?? <span className="faint">none</span>}</td>
              <td data-label="Left out">
                <Countdown holder={h} at={at} seen={seen} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {(source.more ?? 0) > 0 && <p className="faint why-more">and {plural(source.more!, 'more partition')}</p>}
    </div>
  )
}

/** Countdown is how long a split has to be silent still until it is left out of the watermark. */
function Countdown({ holder, at, seen }: { holder: WhySplit; at: number; seen: number }) {
  const [now, tick] = useState(Date.now)
  const running = holder.idle_in_ms !== undefined
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => tick(Date.now()), 100)
    return () => clearInterval(timer)
  }, [running])
  if (holder.idle_in_ms === undefined) return <span className="faint">never: no idle timeout</span>
  const rest = left(holder.idle_in_ms, Math.max(0, now - seen))
  const silent = at - Date.parse(holder.since) + (holder.idle_in_ms - rest)
  return (
    <span className="countdown" role="timer">
      {rest > 0 ? `in ${span(Math.ceil(rest / 100) * 100)}` : 'now'}
      <progress aria-label={`Silence of ${holder.split} until it is left out`} value={Math.max(0, silent)} max={Math.max(1, silent + rest)} />
    </span>
  )
}
