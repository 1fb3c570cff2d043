// A changelog turned into the table that it stands for. At most so many rows are kept, the newest.
import type { Cell, Row } from '../api.ts'

export const ops = ['+I', '-U', '+U', '-D'] as const

/** Table holds what rows are there. A row that is updated stays in its place. */
export class Table {
  private rows = new Map<number, Cell[]>()
  private places = new Map<string, number[]>()
  private next = 0
  private vacated: number | undefined
  /** dropped is how many rows there was no room for. */
  dropped = 0

  /** upsert are the columns by which rows are known; without them a row is known by all of its cells. */
  constructor(private upsert: readonly number[] | undefined, private limit: number) {}

  get size() {
    return this.rows.size - (this.vacated === undefined ? 0 : 1)
  }

  /** list are the rows in the order in which they came. */
  list(): Cell[][] {
    const all: Cell[][] = []
    for (const [id, row] of this.rows) if (id !== this.vacated) all.push(row)
    return all
  }

  apply(change: Row) {
    const key = this.key(change.row)
    switch (change.op) {
      case 1:
        if (this.upsert) return // the row that follows takes its place
        this.vacate()
        this.vacated = this.find(key)
        return
      case 3:
        this.vacate()
        this.remove(this.find(key))
        return
    }
    const there = this.upsert ? this.places.get(key)?.[0] : change.op === 2 ? this.vacated : undefined
    if (there !== undefined) {
      if (!this.upsert) this.forget(there)
      this.rows.set(there, change.row)
      if (!this.upsert) this.remember(key, there)
      this.vacated = undefined
      return
    }
    this.vacate()
    const id = this.next++
    this.rows.set(id, change.row)
    this.remember(key, id)
    if (this.rows.size > this.limit) {
      const oldest = this.rows.keys().next().value
      this.remove(oldest)
      this.dropped++
    }
  }

  private key = (row: Cell[]) => JSON.stringify(this.upsert ? this.upsert.map(i => row[i] ?? null) : row)

  /** find is the newest row of that key. */
  private find = (key: string) => this.places.get(key)?.at(-1)

  private vacate() {
    if (this.vacated === undefined) return
    const id = this.vacated
    this.vacated = undefined
    this.remove(id)
  }

  private remove(id: number | undefined) {
    if (id === undefined) return
    this.forget(id)
    this.rows.delete(id)
  }

  private remember(key: string, id: number) {
    const places = this.places.get(key)
    if (places) places.push(id)
    else this.places.set(key, [id])
  }

  private forget(id: number) {
    const row = this.rows.get(id)
    if (!row) return
    const key = this.key(row)
    const left = this.places.get(key)?.filter(p => p !== id)
    if (left?.length) this.places.set(key, left)
    else this.places.delete(key)
  }
}

/** cellText is a value as text; null is not the text "NULL", so look first. */
export function cellText(cell: Cell): string {
  if (cell === null) return 'NULL'
  if (typeof cell === 'string') return cell
  return `[${cell.map(cellText).join(', ')}]`
}
