// The explanations that stand beside numbers, each in one place. Every view takes them from here.
import type { ProfileSource } from './api.ts'

export interface Explanation { title: string; text: string }

export const explain = {
  late: {
    title: 'Late is not dropped',
    text: 'A late row came behind the watermark of its source. Whether anything is lost is for the operators behind to say: a row is dropped only if everything that it could have counted in was complete. Filters and projections pass it on.',
  },
  sinceRestart: {
    title: 'Since the last restart',
    text: 'Counts begin at 0 when the statement is started again: after a failure, after stop and resume, and after a restart of the server.',
  },
  idleness: {
    title: 'Task idleness is not partition idleness',
    text: 'A task is idle while it waits for rows: it has nothing to do. A partition is idle when it has been silent for the idle timeout and no longer holds the watermark back. A task can be busy while one of its partitions is idle, and idle while none is.',
  },
  delay: {
    title: 'Delay behind now is not the declared delay',
    text: 'The delay shown is how far the watermark is behind the clock. The delay that a table declares, as in WATERMARK FOR ts AS ts - INTERVAL \'5\' SECOND, is how far the watermark is behind the latest row. Old data has a large delay behind now, however short the declared one is.',
  },
  split: {
    title: 'A split is a partition',
    text: 'A split is what is read on its own and in order: a partition of a topic, a file. Each has a watermark of its own, and that of the source is the least of those that take part.',
  },
  stream: {
    title: 'A stream has two watermarks',
    text: 'That of event time says that no message with an earlier event time is to be expected: timers and lateness go by it. The system watermark says that everything that was written before it has been processed: how far it is behind the clock is the time lag of the stream. An alignment group has the least of its sources.',
  },
  shares: {
    title: 'Shares are over the last seconds',
    text: 'Busy, backpressured and idle are of the worst instance of a task, so they need not add up to 100 %. Active, blocked and idle are of one partition, and add up to 100 %.',
  },
} as const satisfies Record<string, Explanation>

export type Topic = keyof typeof explain

const lengths: Record<string, string> = { SECOND: 'SECOND', MINUTE: 'MINUTE', HOUR: 'HOUR', DAY: 'DAY' }

/** longerDelay is what to do about more late rows than expected: SQL that declares twice the delay of a source. It is undefined if the watermark is no column less a delay. */
export function longerDelay(source: Pick<ProfileSource, 'table' | 'strategy'>): string | undefined {
  const line = source.strategy.find(l => l.name.startsWith('watermark for '))
  const found = line && /^(`(?:[^`]|``)+`|\S+)\s*-\s*INTERVAL\s*'(\d+)'\s*([A-Z]+)(?:\(\d+\))?$/i.exec(line.value.trim())
  const unit = found && lengths[(found[3] ?? '').toUpperCase()]
  if (!found || !unit) return undefined
  const column = /^`/.test(found[1] ?? '') ? (found[1] as string) : quote(found[1] as string)
  const table = source.table.split('.').map(quote).join('.')
  return `ALTER TABLE ${table} MODIFY WATERMARK FOR ${column} AS ${column} - INTERVAL '${Number(found[2]) * 2}' ${unit};`
}

/** afterAlter is what has to follow an ALTER TABLE. */
export const afterAlter = 'A statement keeps its tables as they were when it was made: after the ALTER TABLE, delete it and make it again.'

/** moreLate says when to use it. */
export const moreLate: Explanation = {
  title: 'More late rows than expected',
  text: `Declare a longer delay. Results come later by as much, and fewer rows are late. ${afterAlter} Advice reads the table and says how many would be late for which delay.`,
}

/** quote writes a name as an identifier. */
export const quote = (name: string) => '`' + name.replaceAll('`', '``') + '`'
