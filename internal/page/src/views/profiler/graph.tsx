import { useMemo, type CSSProperties } from 'react'
import type { ProfileTask, Shares } from '../../api.ts'
import { bytes, short } from '../../format.ts'
import { Delay } from '../../parts/delay.tsx'
import { layOut, pathOf, type Size } from './layout.ts'
import { noticed, type Standing } from './standing.ts'

const size: Size = { width: 276, height: 158, across: 40, down: 28 }

/** Graph is the tasks as boxes, rows going from left to right; where there is no room for that, one below the other. An edge is as thick as what goes over it. */
export function Graph({ tasks, standing, selected, onSelect }: { tasks: ProfileTask[]; standing: Map<string, Standing[]>; selected: string | undefined; onSelect: (task: string) => void }) {
  const shape = JSON.stringify(tasks.map(t => [t.task_id, t.input_tasks.map(i => i.task_id)]))
  const layout = useMemo(
    () =>
      layOut(
        (JSON.parse(shape) as [string, string[]][]).map(([id, inputs]) => ({ id, inputs })),
        size,
      ),
    [shape],
  )
  const place = new Map(layout.boxes.map(b => [b.id, b]))
  const byId = new Map(tasks.map(t => [t.task_id, t]))
  return (
    <div className="graph-scroll" tabIndex={-1}>
      <ol className="graph" aria-label="Tasks, from the sources on" style={{ '--width': `${layout.width}px`, '--height': `${layout.height}px` } as CSSProperties}>
        <li className="graph-edges" aria-hidden="true">
          <svg width={layout.width} height={layout.height}>
            {layout.edges.map(e => (
              <path
                key={`${e.from} ${e.to}`}
                d={pathOf(e)}
                strokeWidth={thickness(byId.get(e.from)?.out.per_second)}
                className={standing.get(e.to)?.some(s => s.kind === 'slow') && (byId.get(e.from)?.shares?.backpressured ?? 0) >= noticed ? 'pressed' : undefined}
              />
            ))}
          </svg>
        </li>
        {tasks.map(task => (
          <li key={task.task_id} style={{ '--x': `${place.get(task.task_id)!.x}px`, '--y': `${place.get(task.task_id)!.y}px` } as CSSProperties}>
            <Box
              task={task}
              standing={standing.get(task.task_id) ?? []}
              selected={task.task_id === selected}
              from={task.input_tasks.map(i => byId.get(i.task_id)?.task_name ?? i.task_id)}
              onSelect={() => onSelect(task.task_id)}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}

/** thickness grows with each tenfold of rows per second. */
const thickness = (perSecond: number | undefined) => 1.25 + Math.min(5, Math.max(0, Math.log10((perSecond ?? 0) + 1)))

function Box({ task, standing, selected, from, onSelect }: { task: ProfileTask; standing: Standing[]; selected: boolean; from: string[]; onSelect: () => void }) {
  const writes = (task.writes?.length ?? 0) > 0
  return (
    <button type="button" className={`task ${standing.map(s => s.kind).join(' ')}`} aria-pressed={selected} onClick={onSelect}>
      <span className="task-name" title={task.task_name}>
        {task.task_name}
      </span>
      {from.length > 0 && <span className="task-from">from {from.join(', ')}</span>}
      {(standing.length > 0 || task.instances > 1) && (
        <span className="task-tags">
          {standing.map(s => (
            <span key={s.kind} className={`tag ${s.kind === 'pressed' ? 'warn' : 'bad'}`}>
              {s.text}
            </span>
          ))}
          {task.instances > 1 && <span className="tag">{task.instances} instances</span>}
        </span>
      )}
      <span className="task-facts">
        <Fact of={writes ? 'Input delay' : 'Delay'}>
          <Delay mark={task.mark} />
        </Fact>
        <Fact of="Late">{short(task.late)}</Fact>
        <Fact of="State">{bytes(task.state_bytes)}</Fact>
        <Fact of={task.reads ? 'Read /s' : 'In /s'}>{short(task.in.per_second)}</Fact>
        <Fact of={writes ? 'Written /s' : 'Out /s'}>{short(task.out.per_second)}</Fact>
        <Fact of="Dropped">{short(task.dropped)}</Fact>
      </span>
      <Meters shares={task.shares} />
    </button>
  )
}

function Fact({ of, children }: { of: string; children: React.ReactNode }) {
  return (
    <span>
      <small>{of}</small>
      <span>{children}</span>
    </span>
  )
}

/** percent writes a part of 100. */
export const percent = (n: number | undefined) => (n === undefined ? '–' : n > 0 && n < 0.05 ? '<0.1 %' : n >= 0.05 && n < 0.95 ? `${n.toFixed(1)} %` : `${Math.round(n)} %`)

/** Meters are what a task does with its time. They are three and not one, since each is of the worst instance. */
export function Meters({ shares }: { shares: Shares | undefined }) {
  return (
    <span className="meters">
      {(
        [
          ['busy', 'busy', shares?.busy],
          ['pressed', 'backpressured', shares?.backpressured],
          ['idle', 'idle', shares?.idle],
        ] as const
      ).map(([kind, text, value]) => (
        <span key={kind} className={`meter ${kind}`}>
          <small>
            {text} <b>{percent(value)}</b>
          </small>
          <i>
            <i style={{ width: `${Math.min(100, value ?? 0)}%` }} />
          </i>
        </span>
      ))}
    </span>
  )
}
