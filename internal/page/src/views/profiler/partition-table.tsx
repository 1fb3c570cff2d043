import { useState } from 'react'
import type { Partition, ProfileTask } from '../../api.ts'
import { count, dash, span } from '../../format.ts'
import { Delay } from '../../parts/delay.tsx'
import { Explained } from '../../parts/explained.tsx'
import { percent } from './graph.tsx'
import { sorted } from './partitions.ts'

/** So many are on a page; fewer where each is as high as a hand. */
const pageSize = () => (matchMedia('(max-width: 640px)').matches ? 20 : 50)

/** PartitionTable is the partitions that a task reads, those that hold the watermark first. */
export function PartitionTable({ task, at }: { task: ProfileTask; at: number }) {
  const [filter, setFilter] = useState('')
  const [page, setPage] = useState(0)
  const [perPage] = useState(pageSize)
  if (!task.reads)
    return <p className="faint">This task reads no source: its rows come from other tasks, and only what is read has partitions. Look at a task that others get their rows from.</p>
  if (task.partitions.length === 0) return <p className="faint">The source has no partitions yet.</p>
  const all = sorted(task.partitions, filter)
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const shown = Math.min(page, pages - 1)
  return (
    <>
      <div className="partition-head">
        <p className="faint">
          Over the last seconds; the three shares of a partition add up to 100 %. <Explained topic="split" /> <Explained topic="idleness" />
        </p>
        {task.partitions.length > 8 && (
          <input
            type="search"
            aria-label="Find a partition"
            placeholder="Find a partition"
            value={filter}
            onChange={event => {
              setFilter(event.target.value)
              setPage(0)
            }}
          />
        )}
      </div>
      <div className="scroll">
        <table className="cards partitions">
          <caption className="visually-hidden">Partitions of {task.reads}, those that hold the watermark first</caption>
          <thead>
            <tr>
              <th scope="col">Partition</th>
              <th scope="col">State</th>
              <th scope="col">Delay</th>
              <th scope="col" className="number">
                Active
              </th>
              <th scope="col" className="number">
                Blocked
              </th>
              <th scope="col" className="number">
                Idle
              </th>
              <th scope="col" aria-label="Shares as a bar" />
              <th scope="col" className="number">
                Rows
              </th>
              <th scope="col" className="number">
                Late
              </th>
              <th scope="col" className="number">
                Behind
              </th>
            </tr>
          </thead>
          <tbody>
            {all.slice(shown * perPage, (shown + 1) * perPage).map(p => (
              <Line key={p.split} p={p} at={at} />
            ))}
            {all.length === 0 && (
              <tr>
                <td colSpan={10}>No partition has that in its name.</td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <div className="pages">
          <button type="button" className="small" disabled={shown === 0} onClick={() => setPage(shown - 1)}>
            Before
          </button>
          <span role="status">
            {count(shown * perPage + 1)} to {count(Math.min(all.length, (shown + 1) * perPage))} of {count(all.length)}
          </span>
          <button type="button" className="small" disabled={shown === pages - 1} onClick={() => setPage(shown + 1)}>
            Next
          </button>
        </div>
      )}
    </>
  )
}

function Line({ p, at }: { p: Partition; at: number }) {
  return (
    <tr className={p.holds ? 'holds' : undefined}>
      <th scope="row">
        {p.split} {p.holds && <span className="tag bad">holds</span>}
      </th>
      <td data-label="State">
        {p.state} {p.since > 0 && <span className="faint">{span(Math.max(0, at - p.since))}</span>}
      </td>
      <td data-label="Delay">
        <Delay mark={p.mark} />
      </td>
      <td className="number" data-label="Active">
        {percent(p.active)}
      </td>
      <td className="number" data-label="Blocked">
        {percent(p.blocked)}
      </td>
      <td className="number" data-label="Idle">
        {percent(p.idle)}
      </td>
      <td className="share-cell">
        {p.active !== undefined && (
          <span className="share-bar" aria-hidden="true">
            <i className="active" style={{ width: `${p.active}%` }} />
            <i className="blocked" style={{ width: `${p.blocked ?? 0}%` }} />
            <i className="idle" style={{ width: `${p.idle ?? 0}%` }} />
          </span>
        )}
      </td>
      <td className="number" data-label="Rows">
        {count(p.rows)}
      </td>
      <td className="number" data-label="Late">
        {count(p.late)}
      </td>
      <td className="number" data-label="Behind">
        {p.behind === undefined ? dash : count(p.behind)}
      </td>
    </tr>
  )
}
