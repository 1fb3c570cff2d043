import type { Partition } from '../../api.ts'

const natural = new Intl.Collator('en', { numeric: true })

/** sorted puts the partitions first that hold the watermark, then those that take part, the furthest back first, then the others. Filter is a part of the name. */
export function sorted(all: readonly Partition[], filter = ''): Partition[] {
  const text = filter.trim().toLowerCase()
  const rank = (p: Partition) => (p.holds ? 0 : takesPart(p) ? 1 : 2)
  const at = (p: Partition) => p.mark?.at ?? -Infinity
  return all
    .filter(p => p.split.toLowerCase().includes(text))
    .sort((a, b) => {
      const [x, y] = [rank(a), rank(b)]
      if (x !== y) return x - y
      if (at(a) !== at(b)) return at(a) < at(b) ? -1 : 1
      return natural.compare(a.split, b.split)
    })
}

const takesPart = (p: Partition) => p.state !== 'idle' && p.state !== 'ended'
