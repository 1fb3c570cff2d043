// What goes over the wire: internal/server/api, in the same names.

export interface ListMetadata { first?: string; self?: string; next: string; total_size?: number; created_at?: string }

export interface Statement {
  api_version: string
  kind: string
  metadata: { self?: string; uid?: string; created_at?: string; updated_at?: string; resource_version?: string; labels?: Record<string, string> }
  name: string
  organization_id: string
  environment_id: string
  spec: { statement: string; properties?: Record<string, string>; compute_pool_id?: string; principal?: string; stopped: boolean }
  status: { phase: string; detail: string; warnings?: Warning[]; traits?: Traits }
}
export interface Warning { severity: string; created_at: string; reason: string; message: string }
export interface Traits { sql_kind: string; is_bounded: boolean; is_append_only: boolean; upsert_columns?: number[]; schema?: { columns: Column[] } }
export interface Column { name: string; type: Type }
export interface Type {
  type: string
  nullable: boolean
  length?: number
  precision?: number
  scale?: number
  fractional_precision?: number
  resolution?: string
  key_type?: Type
  value_type?: Type
  element_type?: Type
  fields?: { name: string; field_type: Type }[]
}
export interface StatementResults { metadata: ListMetadata; results: { data: Row[] } }
export type Cell = string | null | Cell[]
export interface Row { op: number; row: Cell[] }
export interface StatementExceptionList { metadata: ListMetadata; data: { name: string; message: string; timestamp: string }[] }
export interface Failure { errors: { id: string; status: string; code: string; title: string; detail: string }[] }

export interface Mark { watermark: string; at: number; delay_ms: number; text: string; final?: boolean }
export interface Counted { total: number; per_second?: number }

export interface Overview { metadata: ListMetadata; at: number; data: OverviewLine[] }
export interface OverviewLine {
  name: string
  environment_id: string
  phase: string
  detail: string
  type: string
  created_at: string
  statement: string
  behind?: number
  in?: Counted
  out?: Counted
  input?: Mark
  output?: Mark
  late: number
  warnings: number
}

export interface Profile {
  at: number
  running: boolean
  began?: number
  window_ms?: number
  input?: Mark
  output?: Mark
  late: number
  dropped: number
  restarts: number
  sources: ProfileSource[]
  sinks: ProfileSink[]
  tasks: ProfileTask[]
  checkpoints?: Checkpoints
}
export interface ProfileSource {
  name: string
  table: string
  task: string
  mark?: Mark
  rows: Counted
  bytes: Counted
  behind?: number
  late: number
  skipped: number
  null_times: number
  state?: string
  strategy: StrategyLine[]
}
export interface StrategyLine { name: string; value: string; from?: string }
export interface ProfileSink { name: string; mark?: Mark; rows: Counted; bytes?: Counted }
export interface Shares { busy: number; backpressured: number; idle: number }
export interface ProfileTask {
  task_id: string
  task_name: string
  input_tasks: { task_id: string; num: number }[]
  reads?: string
  writes?: string[]
  instances: number
  mark?: Mark
  in: Counted
  out: Counted
  bytes_in: Counted
  bytes_out: Counted
  late: number
  dropped: number
  state_bytes: number
  shares?: Shares
  recent_late?: number
  worst_lateness_ms?: number
  operators: ProfileOperator[]
  partitions: Partition[]
}
export interface ProfileOperator {
  operator_id: string
  operator_name: string
  input?: Mark
  output?: Mark
  in: Counted
  out: Counted
  state_bytes: number
  keys: number
  dropped: number
  next?: Due
}
export interface Due { at: number; text: string; start?: number; what: string; needed_ms?: number }
export interface Partition {
  split: string
  mark?: Mark
  state: string
  since: number
  holds: boolean
  rows: number
  late: number
  last_row?: number
  behind?: number
  active?: number
  blocked?: number
  idle?: number
}
export interface Checkpoints { completed: number; failed: number; last_at?: number; last_took_ms?: number; last_size_bytes?: number; failure?: string }

export interface Timeline { at: number; running: boolean; from: number; sources: TimelineSource[]; firings: Firing[]; marks: TimelineMark[] }
export interface TimelineSource { name: string; instant: boolean; marks: TimelineMark[]; splits: TimelineSplit[]; more?: number }
export interface TimelineMark { at: number; event: number | null }
export interface TimelineSplit { name: string; rows: TimelineRow[]; marks: TimelineMark[]; spells: TimelineSpell[] }
export interface TimelineRow { at: number; event: number; late?: boolean }
export interface TimelineSpell { state: 'idle' | 'paused'; from: number; to?: number }
export interface Firing { at: number; operator_id: string; start?: number; end: number; rows: number }

export interface History { from: number; step_ms: number; series: HistorySeries[] }
export interface HistorySeries { name: string; labels?: Record<string, string>; values: (number | null)[] }

export interface Why { at: string; running: boolean; watermark?: string; text?: string; sources: WhySource[]; waiting?: WhyWaiting[] }
export interface WhyWaiting { operator_id: string; operator_name: string; what: string; start?: string; at: string; needed_ms?: number; text: string }
export interface WhySource {
  name: string
  table: string
  state: string
  holds: boolean
  watermark?: string
  text: string
  holders?: WhySplit[]
  more?: number
  awaited?: string[]
  releases?: string[]
  remedies?: WhyRemedy[]
}
export interface WhySplit { split: string; doing: string; since: string; watermark?: string; last_row?: string; rows: number; idle_in_ms?: number; upstream?: string; value?: string }
export interface WhyRemedy { text: string; sql?: string }

export interface Text { statement: string; properties?: Record<string, string>; cursor?: number }
export interface Problem { severity: 'error' | 'warning'; code?: string; message: string; hint?: string; from: number; to: number; line: number; column: number }
export interface Checked { problems: Problem[] }
export interface Explained { plan?: string; problems: Problem[] }
export interface Completions { from: number; to: number; options: string[] }

export interface Advice { state: 'running' | 'done' | 'failed'; detail?: string; rows: number; report?: unknown }
