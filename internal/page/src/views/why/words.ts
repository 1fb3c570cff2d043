import type { WhySource } from '../../api.ts'

const still = new Set(['held', 'awaited', 'quiet', 'idle'])

/** standsStill says that the watermark of a source does not follow its rows. */
export const standsStill = (source: WhySource) => still.has(source.state)

/** title is the question of who looks, or that there is none. */
export function title(sources: readonly WhySource[]): string {
  const waiting = sources.filter(standsStill)
  if (waiting.length === 0) return 'The watermark moves'
  const holders = waiting.flatMap(s => s.holders ?? []).filter(h => h.doing !== 'reading')
  const more = waiting.reduce((n, s) => n + (s.more ?? 0), 0)
  if (holders.length === 0) return `Why is this waiting? For ${list(waiting.map(s => s.name))}`
  const [first, ...rest] = holders
  const others = rest.length + more
  return `Why is this waiting? For ${first!.split}${others > 0 ? ` and ${others} more` : ''}`
}

const list = (names: string[]) => (names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`)

/** sentence begins with a capital and ends with a full stop. */
export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')

/** left is what remains of a length of time after some of it. */
export const left = (ms: number, gone: number) => Math.max(0, ms - gone)
