import type { StatementExceptionList } from '../../api.ts'
import { statementPath } from '../../data/ask.ts'
import { useFeed } from '../../data/use.ts'
import { ago, clock } from '../../format.ts'
import { Failing } from '../../parts/failing.tsx'
import { Log } from './log.tsx'

/** Exceptions lists the attempts that failed, the newest first, and what else has happened. */
export function Exceptions({ name }: { name: string }) {
  const picture = useFeed<StatementExceptionList>(statementPath(name, '/exceptions'), 3000)
  const all = picture.data?.data
  return (
    <>
      <Failing picture={picture} what="Exceptions" />
      {all?.length === 0 && <p className="notice">No attempt has failed.</p>}
      {all && all.length > 0 && (
        <>
          <ol className="exceptions">
            {all.map((e, i) => (
              <li key={i} className="card">
                <h2>
                  {e.name} <time className="faint" dateTime={e.timestamp} title={clock(Date.parse(e.timestamp))}>{ago(Date.parse(e.timestamp), picture.at ?? Date.now())}</time>
                </h2>
                <pre tabIndex={0}>{e.message}</pre>
              </li>
            ))}
          </ol>
          <p className="faint">The last ten attempts that failed are kept.</p>
        </>
      )}
      <Log name={name} />
    </>
  )
}
