import type { Firing, Timeline, TimelineMark, TimelineSource, TimelineSpell, TimelineSplit } from '../../api.ts'
import { firstFrom } from './scene.ts'

/** A timeline is asked for once, and then for what has come since; so much is asked for again, since a moment can have more in it than was told. */
const again = 2000

/** So far back is a timeline kept. */
const kept = 600_000

/** sinceOf is from when on a timeline has to be asked for that is known up to a moment. */
export const sinceOf = (known: Timeline) => Math.max(known.from, known.at - again)

/** join puts what has come since a moment behind what is known. If the answer begins elsewhere, or nothing runs, what is known is of another run and forgotten. */
export function join(known: Timeline, next: Timeline): Timeline {
  const since = sinceOf(known)
  if (!known.running || !next.running || next.from !== since) return next
  const from = Math.max(known.from, next.at - kept)
  const source = (s: TimelineSource): TimelineSource => {
    const before = known.sources.find(x => x.name === s.name)
    if (!before) return s
    return {
      ...s,
      marks: marks(before.marks, s.marks, since, from),
      splits: s.splits.map(p =>
        split(
          before.splits.find(x => x.name === p.name),
          p,
          since,
          from,
        ),
      ),
    }
  }
  return { ...next, from, sources: next.sources.map(source), marks: marks(known.marks, next.marks, since, from), firings: firings(known.firings, next.firings, since, from) }
}

function split(known: TimelineSplit | undefined, next: TimelineSplit, since: number, from: number): TimelineSplit {
  if (!known) return next
  return { ...next, rows: [...between(known.rows, from, since), ...next.rows], marks: marks(known.marks, next.marks, since, from), spells: spells(known.spells, next.spells, since, from) }
}

const between = <T extends { at: number }>(all: readonly T[], from: number, to: number) => all.slice(firstFrom(all, from), firstFrom(all, to))

/** marks keeps the one that is in force when the stretch begins. */
function marks(known: readonly TimelineMark[], next: readonly TimelineMark[], since: number, from: number): TimelineMark[] {
  const first = Math.max(0, firstFrom(known, from + 1) - 1)
  const before = known.slice(first, firstFrom(known, since))
  const same = next.length > 0 && before.length > 0 && next[0]!.event === before.at(-1)!.event
  return [...before, ...(same ? next.slice(1) : next)]
}

/** spells joins one that has lasted with what is told of it now. */
function spells(known: readonly TimelineSpell[], next: readonly TimelineSpell[], since: number, from: number): TimelineSpell[] {
  const out = known.filter(s => s.from < since && (!s.to || s.to > from)).map(s => ({ ...s }))
  const last = out.at(-1)
  const rest = [...next]
  if (last && (!last.to || last.to >= since)) {
    const goes = rest[0] && rest[0].from <= since && rest[0].state === last.state ? rest.shift() : undefined
    if (goes) {
      delete last.to
      if (goes.to) last.to = goes.to
    } else if (!last.to) last.to = since
  }
  return [...out, ...rest]
}

/** firings takes the newer of two tales of one window. */
function firings(known: readonly Firing[], next: readonly Firing[], since: number, from: number): Firing[] {
  const told = new Set(next.map(f => `${f.operator_id} ${f.end}`))
  return [...between(known, from, since).filter(f => !told.has(`${f.operator_id} ${f.end}`)), ...next]
}
