// The report of a study of delays, as tidemark advise --json prints it. Lengths are milliseconds, shares parts of 1.

export interface Report {
  table: string
  column: string
  watermark?: string
  rows: number
  null_times: number
  oldest?: string
  newest?: string
  out_of_order: Disorder
  splits: ReportSplit[] | null
  present?: { delay_ms?: number; late: number; share: number; worst?: Furthest }
  delays: DelayLine[] | null
  advice: Target[] | null
  held: { p50_ms: number; p99_ms: number }
  findings: { name: string; text: string; remedies?: string[] }[] | null
}
export interface ReportSplit {
  name: string
  splits: number
  rows: number
  null_times: number
  oldest?: string
  newest?: string
  out_of_order: Disorder
}
export interface Disorder {
  rows: number
  share: number
  p50_ms: number
  p90_ms: number
  p99_ms: number
  p99_9_ms: number
  p99_99_ms: number
  worst?: Furthest
}
export interface Furthest {
  by_ms: number
  time: string
  split: string
  row: number
}
export interface DelayLine {
  delay_ms: number
  late: number
  share: number
  late_in_own_split: number
  later_ms: number
  now?: boolean
}
export interface Target {
  on_time_percent: string
  delay_ms?: number
  delay_for_own_split_ms?: number
  late: number
  later_ms: number
  sql?: string
}

/** A target, or several that one delay serves. */
export interface Advised extends Target {
  percents: string[]
}

/** joined puts those targets together that the same delay serves. */
export function joined(targets: readonly Target[]): Advised[] {
  const out: Advised[] = []
  for (const t of targets) {
    const same = out.find(o => o.delay_ms !== undefined && o.delay_ms === t.delay_ms)
    if (same) same.percents.push(t.on_time_percent)
    else out.push({ ...t, percents: [t.on_time_percent] })
  }
  return out
}

/** place is where a length lies on an axis from 1 ms to the longest, each tenfold as wide as the next; 0 is in front of it. */
export function place(ms: number, longest: number): number {
  if (ms < 1) return 0
  const top = Math.log10(Math.max(10, longest))
  return Math.min(1, 0.06 + (Math.log10(ms) / top) * 0.94)
}

/** decades are 1 ms, 10 ms and so on up to the longest. */
export function decades(longest: number): number[] {
  const out: number[] = []
  for (let d = 1; d <= Math.max(10, longest); d *= 10) out.push(d)
  return out
}
