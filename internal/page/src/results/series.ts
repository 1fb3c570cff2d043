// Rows turned into what a chart draws.
import type { Cell, Column } from '../api.ts'

const numbers = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'DECIMAL', 'FLOAT', 'DOUBLE'])
const times = new Set(['TIMESTAMP_WITHOUT_TIME_ZONE', 'TIMESTAMP_WITH_LOCAL_TIME_ZONE', 'DATE'])

export const isNumber = (c: Column) => numbers.has(c.type.type)
export const isTime = (c: Column) => times.has(c.type.type)

/** moment reads a value of a time column, as if it were UTC where it has no zone, in seconds. */
export function moment(cell: Cell): number | undefined {
  if (typeof cell !== 'string') return undefined
  const ms = Date.parse(cell.replace(' ', 'T') + (/[zZ]|[+-]\d\d:?\d\d$/.test(cell.slice(10)) ? '' : cell.length > 10 ? 'Z' : ''))
  return Number.isNaN(ms) ? undefined : ms / 1000
}

export function value(cell: Cell): number | null {
  if (typeof cell !== 'string') return null
  const n = Number(cell)
  return Number.isFinite(n) ? n : null
}

/** Lines are what a chart over time draws: a common x, and a line for each name. Where there is no row a value is undefined, and the line goes on; NULL is a gap. */
export interface Lines { x: number[]; lines: { name: string; values: (number | null | undefined)[] }[]; more: number }

export const mostLines = 6

/** lines takes x from a time column and a number from another; with a column `by` there is a line for each of its values, those with the most points first. Of several rows at one x the last counts. */
export function lines(rows: Cell[][], x: number, y: number, by: number | undefined): Lines {
  const found = new Map<string, Map<number, number | null>>()
  const at = new Set<number>()
  for (const row of rows) {
    const t = moment(row[x] ?? null)
    if (t === undefined) continue
    const name = by === undefined ? '' : typeof row[by] === 'string' ? (row[by] as string) : 'NULL'
    let line = found.get(name)
    if (!line) found.set(name, (line = new Map()))
    line.set(t, value(row[y] ?? null))
    at.add(t)
  }
  const xs = [...at].sort((a, b) => a - b)
  const sorted = [...found].sort((a, b) => b[1].size - a[1].size || (a[0] < b[0] ? -1 : 1))
  return {
    x: xs,
    lines: sorted.slice(0, mostLines).map(([name, line]) => ({ name, values: xs.map(t => line.get(t)) })),
    more: Math.max(0, sorted.length - mostLines),
  }
}

/** Bar is a value of a table that has no time column. */
export interface Bar { name: string; value: number }

export const mostBars = 24

/** bars are the largest values, by size. */
export function bars(rows: Cell[][], name: number | undefined, y: number): Bar[] {
  const all: Bar[] = []
  rows.forEach((row, i) => {
    const v = value(row[y] ?? null)
    if (v !== null) all.push({ name: name === undefined ? `row ${i + 1}` : String(row[name] ?? 'NULL'), value: v })
  })
  return all.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, mostBars)
}

/** Choice is which columns a chart is of, by their numbers. */
export interface Choice { x: number | undefined; y: number; by: number | undefined }

/** choose picks columns: the first time, the last number, and a text that tells lines apart. Without a number there is nothing to draw. */
export function choose(columns: Column[], rows: Cell[][]): Choice | undefined {
  const y = columns.findLastIndex(isNumber)
  if (y < 0) return undefined
  const x = columns.findIndex(isTime)
  const texts = columns.map((_, i) => i).filter(i => i !== y && i !== x && !isTime(columns[i] as Column) && !['ARRAY', 'MAP', 'ROW', 'MULTISET'].includes((columns[i] as Column).type.type))
  const distinct = (i: number) => new Set(rows.slice(-500).map(r => String(r[i] ?? null))).size
  const by = x < 0 ? texts[0] : texts.find(i => distinct(i) <= mostLines * 2)
  return { x: x < 0 ? undefined : x, y, by }
}
