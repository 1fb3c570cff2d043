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
                {o.left_out ? <div className="faint">{`${count(o.left_out)} left out, ${o.why}`}</div> : null}
              </td>
              <td data-label="Waits for">{o.next ? waitsFor(o.next) : <span className="faint">nothing</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** waitsFor is what an operator does first when the watermark comes by, and how much event time that needs; the words are those of the server. */
export function waitsFor(due: Due): string {
  const what =
    due.what === 'window' && due.start !== undefined
      ? `the window from ${like(due.text, due.start)} to ${due.text}`
      : due.what === 'session'
        ? `the session that ends first, at ${due.text},`
        : due.what === 'match'
          ? `what has begun to match, and is given up at ${due.text},`
          : due.what === 'rows'
            ? `the first row that is held, of ${due.text},`
            : `${due.what}, at ${due.text},`
  if (due.needed_ms === undefined) return `${what} waits for the first watermark`
  return due.needed_ms > 0 ? `${what} needs ${span(due.needed_ms)} more of event time` : `${what} is about to leave`
}

/** like writes an event time as another is written. */
const like = (text: string, event: number) => new Date(event).toISOString().replace('T', ' ').slice(0, 23) + (text.endsWith('Z') ? 'Z' : '')
