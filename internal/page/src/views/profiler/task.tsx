import { useId, type KeyboardEvent } from 'react'
import type { Profile, ProfileTask } from '../../api.ts'
import { bytes, count, perMinute, span } from '../../format.ts'
import { Delay } from '../../parts/delay.tsx'
import { Explained } from '../../parts/explained.tsx'
import { Why } from '../why/index.tsx'
import { Meters } from './graph.tsx'
import { LateHistory } from './history.tsx'
import { Operators } from './operators.tsx'
import { PartitionTable } from './partition-table.tsx'

export type Pane = 'task' | 'operators' | 'partitions'

const panes: { pane: Pane; text: string }[] = [
  { pane: 'task', text: 'Task' },
  { pane: 'operators', text: 'Operators' },
  { pane: 'partitions', text: 'Partitions' },
]

/** TaskPanel is one task in full. */
export function TaskPanel({ name, profile, task, pane, onPane }: { name: string; profile: Profile; task: ProfileTask; pane: Pane; onPane: (to: Pane) => void }) {
  const id = useId()
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = panes.findIndex(p => p.pane === pane)
    const to = panes[(at + step + panes.length) % panes.length]!.pane
    onPane(to)
    document.getElementById(`${id}-${to}`)?.focus()
  }
  return (
    <section className="card task-panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{task.task_name}</h2>
      <div className="tabs" role="tablist" aria-label="About this task" onKeyDown={move}>
        {panes.map(p => (
          <button
            key={p.pane}
            id={`${id}-${p.pane}`}
            type="button"
            role="tab"
            aria-selected={p.pane === pane}
            aria-controls={`${id}-panel`}
            tabIndex={p.pane === pane ? 0 : -1}
            onClick={() => onPane(p.pane)}
          >
            {p.text}
            {p.pane === 'partitions' && task.partitions.length > 0 && <span className="faint"> {count(task.partitions.length)}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${pane}`} tabIndex={0}>
        {pane === 'operators' ? (
          <>
            <Operators task={task} />
            <Why name={name} operators={task.operators.map(o => o.operator_id)} />
          </>
        ) : pane === 'partitions' ? (
          <PartitionTable task={task} at={profile.at} />
        ) : (
          <Facts name={name} profile={profile} task={task} />
        )}
      </div>
    </section>
  )
}

function Facts({ name, profile, task }: { name: string; profile: Profile; task: ProfileTask }) {
  const writes = (task.writes?.length ?? 0) > 0
  const source = profile.sources.find(s => s.name === task.reads)
  return (
    <>
      <dl className="facts">
        <div>
          <dt>
            {writes ? 'Input delay' : 'Output delay'} <Explained topic="delay" />
          </dt>
          <dd>
            <Delay mark={task.mark} />
            {task.mark && !task.mark.final && <small className="faint">{task.mark.watermark}</small>}
          </dd>
        </div>
        <div>
          <dt>
            Late rows <Explained topic="late" />
          </dt>
          <dd>{count(task.late)}</dd>
        </div>
        {task.reads && (
          <>
            <div>
              <dt>Late, last minute</dt>
              <dd>{count(task.recent_late)}</dd>
            </div>
            <div>
              <dt>Largest lateness, last minute</dt>
              <dd>{span(task.worst_lateness_ms)}</dd>
            </div>
          </>
        )}
        <div>
          <dt>Dropped by operators</dt>
          <dd>{count(task.dropped)}</dd>
        </div>
        <div>
          <dt>{task.reads ? 'Rows read' : 'Rows in'}</dt>
          <dd>
            {count(task.in.total)} <span className="faint">{perMinute(task.in)} /min</span>
          </dd>
        </div>
        <div>
          <dt>{writes ? 'Rows written' : 'Rows out'}</dt>
          <dd>
            {count(task.out.total)} <span className="faint">{perMinute(task.out)} /min</span>
          </dd>
        </div>
        <div>
          <dt>Bytes in, out</dt>
          <dd>
            {bytes(task.bytes_in.total)}, {bytes(task.bytes_out.total)}
          </dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>{bytes(task.state_bytes)}</dd>
        </div>
        <div>
          <dt>Instances</dt>
          <dd>{count(task.instances)}</dd>
        </div>
        {source?.behind !== undefined && (
          <div>
            <dt>Messages behind</dt>
            <dd>{count(source.behind)}</dd>
          </div>
        )}
      </dl>
      <div className="task-meters">
        <Meters shares={task.shares} /> <Explained topic="shares" />
      </div>
      {task.reads ? <Why name={name} source={task.reads} /> : <Why name={name} operators={task.operators.map(o => o.operator_id)} />}
      {source && <LateHistory name={name} source={source} task={task.task_id} at={profile.at} />}
    </>
  )
}
