import type { Profile, ProfileGroup, ProfileStream } from '../../api.ts'
import { count, dash } from '../../format.ts'
import { Delay } from '../../parts/delay.tsx'
import { Explained } from '../../parts/explained.tsx'

/** Streams is how far the streams of a pipeline and its alignment groups are, by both watermarks; nothing of a statement that has none. */
export function Streams({ profile }: { profile: Profile }) {
  const { streams = [], groups = [] } = profile
  if (streams.length === 0) return null
  return (
    <>
      <h2>
        Streams <Explained topic="stream" />
      </h2>
      <div className="scroll">
        <table className="cards">
          <caption className="visually-hidden">The streams of the pipeline, in their order, and its alignment groups</caption>
          <thead>
            <tr>
              <th scope="col">Stream</th>
              <th scope="col">Event delay</th>
              <th scope="col">Time lag</th>
              <th scope="col" className="number">
                Rows
              </th>
              <th scope="col" className="number">
                Rows a second
              </th>
            </tr>
          </thead>
          <tbody>
            {streams.map(s => (
              <Line key={s.name} of={s} rows={s.rows} />
            ))}
            {groups.map(g => (
              <Line key={`group ${g.name}`} of={g} group />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Line({ of, rows, group }: { of: ProfileStream | ProfileGroup; rows?: ProfileStream['rows']; group?: boolean }) {
  return (
    <tr>
      <th scope="row">
        {of.name} {group && <span className="tag">group</span>}
      </th>
      <td data-label="Event delay">
        <Delay mark={of.mark} />
      </td>
      <td data-label="Time lag">
        <Delay mark={of.system} />
      </td>
      <td className="number" data-label="Rows">
        {rows ? count(rows.total) : dash}
      </td>
      <td className="number" data-label="Rows a second">
        {rows?.per_second === undefined ? dash : count(Math.round(rows.per_second))}
      </td>
    </tr>
  )
}
