import type { Profile, ProfileTask } from '../../api.ts'

/** Standing is why a box stands out. */
export interface Standing {
  kind: 'holds' | 'slow' | 'pressed'
  text: string
}

/** Below so many percent, waiting for those behind is no matter. */
export const noticed = 10

/**
 * standings says which tasks hold a statement back. A task whose source waits for something holds the watermark; one that waits for those behind it is hindered, and of those that rows come to
 * from it and that are not hindered themselves, the busiest is why.
 */
export function standings(profile: Profile): Map<string, Standing[]> {
  const out = new Map<string, Standing[]>()
  const add = (task: string, standing: Standing) => out.set(task, [...(out.get(task) ?? []), standing])
  for (const source of holding(profile)) add(source.task, { kind: 'holds', text: 'holds the watermark' })
  const pressed = (t: ProfileTask) => t.shares?.backpressured ?? 0
  const most = profile.tasks.reduce<ProfileTask | undefined>((a, b) => (pressed(b) > (a ? pressed(a) : 0) ? b : a), undefined)
  if (!most || pressed(most) < noticed) return out
  add(most.task_id, { kind: 'pressed', text: 'most hindered' })
  const hindered = new Set(profile.tasks.filter(t => pressed(t) >= noticed).map(t => t.task_id))
  const behind = profile.tasks.filter(t => !hindered.has(t.task_id) && t.input_tasks.some(i => hindered.has(i.task_id)))
  const slow = behind.sort((a, b) => (b.shares?.busy ?? 0) - (a.shares?.busy ?? 0))[0]
  if (slow) add(slow.task_id, { kind: 'slow', text: 'slows down those before it' })
  return out
}

const waits = new Set(['held', 'awaited', 'quiet'])

/** holding is the sources that hold the watermark of a statement: those that wait for something, of which none is further back. */
function holding(profile: Profile) {
  const waiting = profile.sources.filter(s => s.state && waits.has(s.state) && !s.mark?.final)
  const least = Math.min(...waiting.map(s => s.mark?.at ?? -Infinity))
  return waiting.filter(s => (s.mark?.at ?? -Infinity) === least)
}
