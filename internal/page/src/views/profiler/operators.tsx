import type { Due, ProfileTask } from '../../api.ts'
import { bytes, count, dash, perMinute, span } from '../../format.ts'
import { Delay } from '../../parts/delay.tsx'

/** Operators are those of a task, in the order in which rows go through them. */
export function Operators({ task }: { task: ProfileTask }) {
  return (
    <div className="scroll">
      <table className="cards">
        <caption className="visually-hidden">Operators of {task.task_name}, in the order in which rows go through them</caption>
        <thead>
          <tr>
            <th scope="col">Operator</th>
            <th scope="col" className="number">
              In /min
            </th>
            <th scope="col" className="number">
              Out /min
            </th>
            <th scope="col" className="number">
              State
            </th>
            <th scope="col">Input delay</th>
            <th scope="col">Output delay</th>
            <th scope="col" className="number">
              Dropped
            </th>
            <th scope="col">Waits for</th>
          </tr>
        </thead>
        <tbody>
          {task.operators.map((o, i) => (
            <tr key={o.operator_id}>
              <th scope="row">
                <span className="faint">{i + 1}</span> {o.operator_name}
              </th>
              <td className="number" data-label="In /min" title={`${count(o.in.total)} in all`}>
                {perMinute(o.in)}
              </td>
              <td className="number" data-label="Out /min" title={`${count(o.out.total)} in all`}>
                {perMinute(o.out)}
              </td>
              <td className="number" data-label="State" title={`${count(o.keys)} keys`}>
                {o.state_bytes > 0 ? bytes(o.state_bytes) : dash}
              </td>
              <td data-label="Input delay">
                <Delay mark={o.input} />
              </td>
              <td data-label="Output delay">
                <Delay mark={o.output} />
              </td>
              <td className="number" data-label="Dropped">
                {count(o.dropped)}
              </td>
              <td data-label="Waits for">{o.next ? waitsFor(o.next) : <span className="faint">nothing</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const doing: Record<string, string> = {
  window: 'a window that ends',
  session: 'a session that ends',
  timer: 'a timer',
  rows: 'rows that are kept',
  match: 'matches that are open',
}

/** waitsFor is what happens next in an operator, and how much event time that needs. */
export function waitsFor(due: Due): string {
  const what = `${doing[due.what] ?? due.what} at ${due.text}`
  if (due.needed_ms === undefined) return `${what}; there is no watermark yet`
  return due.needed_ms > 0 ? `${what}: ${span(due.needed_ms)} of event time is needed` : `${what}, now`
}
