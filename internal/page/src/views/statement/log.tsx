import type { StatementLog } from '../../api.ts'
import { statementPath } from '../../data/ask.ts'
import { useFeed } from '../../data/use.ts'
import { clock } from '../../format.ts'
import { Failing } from '../../parts/failing.tsx'

const signs: Record<string, string> = { ERROR: '✕', WARN: '▲' }

/** Log is what has happened to a statement since the server began, the newest first. */
export function Log({ name }: { name: string }) {
  const picture = useFeed<StatementLog>(statementPath(name, '/log'), 3000)
  const all = picture.data?.data
  return (
    <section className="log" aria-label="Log">
      <h2>Log</h2>
      <Failing picture={picture} what="Log" />
      {all?.length === 0 && <p className="faint">Nothing has happened since the server began.</p>}
      {all && all.length > 0 && (
        <ol>
          {all.toReversed().map((line, i) => (
            <li key={all.length - i} className={line.level.toLowerCase()}>
              <time className="faint" dateTime={line.timestamp}>{clock(Date.parse(line.timestamp), picture.at)}</time>
              <span aria-hidden="true">{signs[line.level]}</span>
              <span className="said">{line.level !== 'INFO' && <span className="visually-hidden">{line.level}: </span>}{line.message}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
