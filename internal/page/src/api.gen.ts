// Made of internal/server/openapi.json by go generate ./internal/server.

/** Advice is what delays would do to a table: where a study is, and what it has found. Report has the form that `tidemark advise --json` prints. */
export interface Advice {
  api_version: string
  detail?: string
  kind: string
  report?: unknown
  rows: number
  state: string
}

/** Cell is a value of a row of results. */
export type Cell = string | Cell[] | null

/** Checked is what is wrong with a Text. */
export interface Checked {
  api_version: string
  kind: string
  problems: Problem[]
}

/** Checkpoints are those of a statement since the last restart. */
export interface Checkpoints {
  completed: number
  failed: number
  failure?: string
  last_at?: number
  last_size_bytes?: number
  last_took_ms?: number
}

/** Column is one of them. */
export interface Column {
  name: string
  type: Type
}

/** Completions are what can stand at the cursor in place of what is between From and To, in UTF-16 units. */
export interface Completions {
  api_version: string
  from: number
  kind: string
  options: string[]
  to: number
}

/** Counted is a number that only grows, and by how much it has grown per second over the window; nil without a window. */
export interface Counted {
  per_second?: number
  total: number
}

/** Due is the next thing that an operator does when the watermark comes by. */
export interface Due {
  at: number
  needed_ms?: number
  start?: number
  text: string
  what: string
}

/** Error is why a request was not done. */
export interface Error {
  code: string
  detail: string
  id: string
  status: string
  title: string
}

/** Explained is the plan of a Text, or what is wrong with it. */
export interface Explained {
  api_version: string
  kind: string
  plan?: string
  problems: Problem[]
}

/** Failure is the body of every answer that is an error. */
export interface Failure {
  errors: Error[]
}

/** Field is a field of a ROW. */
export interface Field {
  field_type: Type
  name: string
}

/** Firing is that windows of one end were complete: when, which (Start is nil for what has only an end), and how many rows came out. */
export interface Firing {
  at: number
  end: number
  operator_id: string
  rows: number
  start?: number
}

/** Graph is the tasks of a statement, those that read sources first. */
export interface Graph {
  tasks: Task[]
}

/** Health says that the process lives. */
export interface Health {
  status: string
}

/** History is what a statement was like minute by minute, up to seven days back. Moments are milliseconds since the epoch. */
export interface History {
  api_version: string
  from: number
  kind: string
  /** Notes are sentences about what is not there, such as that older values were dropped for want of room. */
  notes?: string[]
  series: HistorySeries[]
  step_ms: number
}

/** HistorySeries is one series. Name and Labels are those of Metrics without the prefix, where there is such a series. Fold says how the minutes of a step became one value: "sum" of what a counter counted, "last", "most" or "mean". */
export interface HistorySeries {
  fold: string
  labels?: Record<string, string>
  name: string
  values: (number | null)[]
}

/** ListMetadata is where a page is. Next is the address of the one behind it, "" if there is none. */
export interface ListMetadata {
  created_at?: string
  first?: string
  next: string
  self?: string
  total_size?: number
}

/** LogLine is one thing that happened. Timestamp is RFC 3339 in UTC. */
export interface LogLine {
  level: string
  message: string
  timestamp: string
}

/** Mark is a watermark. Confluent Cloud: a delay below a minute is up to date. */
export interface Mark {
  at: number
  delay_ms: number
  final?: boolean
  text: string
  watermark: string
}

/** Metadata is what the server says of a resource. Times are RFC 3339 in UTC. */
export interface Metadata {
  created_at?: string
  labels?: Record<string, string>
  resource_version?: string
  self?: string
  uid?: string
  updated_at?: string
}

/** MetricAggregation is a series, with its prefix, and how values of a group become one: SUM, MIN, MAX, AVG or COUNT; "" is what makes sense for the series. */
export interface MetricAggregation {
  agg?: string
  metric: string
}

/** MetricData are the answers to a MetricQuery. In FLAT each has timestamp, value and the fields of its group that the series has; in GROUPED the fields and points, each of which has timestamp and value. */
export interface MetricData {
  data: (Record<string, unknown>)[]
}

/** MetricDescriptor is one of them. Type is COUNTER_DOUBLE or GAUGE_DOUBLE. */
export interface MetricDescriptor {
  description: string
  exportable: boolean
  labels: MetricLabel[]
  lifecycle_stage: string
  name: string
  resources: string[]
  type: string
  unit: string
}

/** MetricDescriptors tell which series can be asked for. */
export interface MetricDescriptors {
  data: MetricDescriptor[]
}

/** MetricFilter is a condition: EQ of a field, AND and OR of Filters, NOT of Filter. */
export interface MetricFilter {
  field?: string
  filter?: MetricFilter
  filters?: MetricFilter[]
  op: string
  value?: string
}

/** MetricLabel is a label; as a field of a query it has "metric." or "resource." before it. */
export interface MetricLabel {
  description: string
  exportable: boolean
  key: string
}

/** MetricQuery asks for one series. Confluent Cloud: POST /v2/metrics/cloud/query. */
export interface MetricQuery {
  aggregations: MetricAggregation[]
  filter?: MetricFilter
  format?: string
  granularity: string
  /** GroupBy are the fields of which every combination of values is a group; without any all is one group. */
  group_by?: string[]
  /** Intervals are two instants in RFC 3339 with a slash between. */
  intervals: string[]
  limit?: number
}

/** Metrics are the numbers of one statement. */
export interface Metrics {
  api_version: string
  at: string
  kind: string
  samples: Sample[]
}

/** Operator is one operator of a task, as that of that number. */
export interface Operator {
  num: number
  operator_id: string
  operator_name: string
}

/** Overview is a page of statements with what the list of the page shows beside them. It takes the parameters of a list of statements. */
export interface Overview {
  api_version: string
  at: number
  data: OverviewLine[]
  kind: string
  metadata: ListMetadata
}

/** OverviewLine is one of them. What its job tells is absent if none runs. */
export interface OverviewLine {
  behind?: number
  created_at: string
  detail: string
  environment_id: string
  in?: Counted
  input?: Mark
  late: number
  name: string
  out?: Counted
  output?: Mark
  phase: string
  statement: string
  type: string
  warnings: number
}

/** Partition is a split of a source. Active, Blocked and Idle are parts of 100 over the window and add up to 100; nil without a window. */
export interface Partition {
  active?: number
  behind?: number
  blocked?: number
  holds: boolean
  idle?: number
  last_row?: number
  late: number
  mark?: Mark
  rows: number
  since: number
  split: string
  state: string
}

/** Patch is an operation of a JSON patch (RFC 6902). */
export interface Patch {
  op: string
  path: string
  value: unknown
}

/** Problem is an error or a warning at a place of a Text. From and To are UTF-16 units from the beginning. */
export interface Problem {
  code?: string
  column: number
  from: number
  hint?: string
  line: number
  message: string
  severity: string
  to: number
}

/** Profile is a statement and all that its job tells of itself at one moment: what the page shows. Moments are milliseconds since the epoch. A Mark is nil while there is none. Counts are since the last restart; Recent is what changed over the last Window. */
export interface Profile {
  api_version: string
  at: number
  began?: number
  checkpoints?: Checkpoints
  dropped: number
  groups?: ProfileGroup[]
  input?: Mark
  kind: string
  late: number
  output?: Mark
  restarts: number
  running: boolean
  sinks: ProfileSink[]
  sources: ProfileSource[]
  /** Streams are those of a pipeline, and Groups the alignment groups of its sources. */
  streams?: ProfileStream[]
  tasks: ProfileTask[]
  window_ms?: number
}

/** ProfileGroup is an alignment group: the least of its sources. */
export interface ProfileGroup {
  mark?: Mark
  name: string
  system?: Mark
}

/** ProfileOperator is an operator of a task, in the order of the rows. */
export interface ProfileOperator {
  dropped: number
  in: Counted
  input?: Mark
  keys: number
  left_out?: number
  next?: Due
  operator_id: string
  operator_name: string
  out: Counted
  output?: Mark
  state_bytes: number
  why?: string
}

/** ProfileSink is a table that is written to. */
export interface ProfileSink {
  bytes?: Counted
  mark?: Mark
  name: string
  rows: Counted
}

/** ProfileSource is a source table. */
export interface ProfileSource {
  behind?: number
  bytes: Counted
  late: number
  mark?: Mark
  name: string
  null_times: number
  rows: Counted
  skipped: number
  state?: string
  strategy: StrategyLine[]
  table: string
  task: string
}

/** ProfileStream is a stream between computations. Flow: its watermark state. */
export interface ProfileStream {
  mark?: Mark
  name: string
  rows: Counted
  system?: Mark
}

/** ProfileTask is a box of the profiler. */
export interface ProfileTask {
  bytes_in: Counted
  bytes_out: Counted
  dropped: number
  in: Counted
  input_tasks: TaskInput[]
  instances: number
  late: number
  mark?: Mark
  operators: ProfileOperator[]
  out: Counted
  partitions: Partition[]
  reads?: string
  recent_late?: number
  shares?: Shares
  state_bytes: number
  task_id: string
  task_name: string
  worst_lateness_ms?: number
  writes?: string[]
}

/** RequestMetadata is what of Metadata is the client's. */
export interface RequestMetadata {
  labels?: Record<string, string>
  resource_version?: string
}

/** RequestSpec is a Spec in which values of properties may be numbers and booleans too. */
export interface RequestSpec {
  compute_pool_id?: string
  principal?: string
  properties?: Record<string, unknown>
  statement?: string
  stopped?: boolean
}

/** ResourceDescriptor is one of them. */
export interface ResourceDescriptor {
  description: string
  labels: MetricLabel[]
  type: string
}

/** ResourceDescriptors tell of what there are series. */
export interface ResourceDescriptors {
  data: ResourceDescriptor[]
}

/** Results are its rows. */
export interface Results {
  data: Row[]
}

/** Row is a row of results: 0 is +I, 1 -U, 2 +U, 3 -D. Cells are strings, null, and arrays of such. */
export interface Row {
  op: number
  row: Cell[]
}

/** Sample is a value of a series. Name is that of Confluent Cloud with its prefix. */
export interface Sample {
  labels?: Record<string, string>
  name: string
  value: number
}

/** Schema is the columns of results. */
export interface Schema {
  columns: Column[]
}

/** Shares are parts of 100 of the time of the worst instance; those of different instances need not add up to 100. */
export interface Shares {
  backpressured: number
  busy: number
  idle: number
}

/** Spec is what the client asks for. Of it only Stopped, Principal and ComputePoolID can be changed. */
export interface Spec {
  compute_pool_id?: string
  principal?: string
  properties?: Record<string, string>
  statement: string
  stopped: boolean
}

/** Statement is the resource. */
export interface Statement {
  api_version: string
  environment_id: string
  kind: string
  metadata: Metadata
  name: string
  organization_id: string
  spec: Spec
  status: Status
}

/** StatementException is one of them. */
export interface StatementException {
  message: string
  name: string
  timestamp: string
}

/** StatementExceptionList is the attempts that failed, the newest first. */
export interface StatementExceptionList {
  api_version: string
  data: StatementException[]
  kind: string
  metadata: ListMetadata
}

/** StatementList is a page of statements. */
export interface StatementList {
  api_version: string
  data: Statement[]
  kind: string
  metadata: ListMetadata
}

/** StatementLog is what has happened to a statement since the server began, the oldest first: changes of its phase, errors, warnings. */
export interface StatementLog {
  api_version: string
  data: LogLine[]
  kind: string
  metadata: ListMetadata
}

/** StatementRequest is what makes or changes a statement. Organization and environment are those of the path, and what else a Statement has may stand in it and is not read, so that clients can send back what they were shown. */
export interface StatementRequest {
  metadata?: RequestMetadata
  name?: string
  spec: RequestSpec
}

/** StatementResults is a page of results. */
export interface StatementResults {
  api_version: string
  kind: string
  metadata: ListMetadata
  results: Results
}

/** Status is how the statement is. */
export interface Status {
  detail: string
  phase: string
  traits?: Traits
  warnings?: Warning[]
}

/** StrategyLine is a line of the strategy in force: what it is, its value, and where that is said, in the words of EXPLAIN: "WATERMARK clause", "default", "WITH 'scan.watermark.idle-timeout'", "SET 'sql.tables.scan.idle-timeout'", "OPTIONS '…'", "profile confluent". */
export interface StrategyLine {
  from?: string
  name: string
  value: string
}

/** Task is a stretch of operators without an exchange between. */
export interface Task {
  included_operators: Operator[]
  input_tasks: TaskInput[]
  task_id: string
  task_name: string
}

/** TaskGraph tells which tasks a statement runs as. Graph is a JSON text of a Graph, as in Confluent Cloud. */
export interface TaskGraph {
  Graph: string
  api_version: string
  kind: string
}

/** TaskInput is a task whose rows another one gets, as its input of that number. */
export interface TaskInput {
  num: number
  task_id: string
}

/** Text is SQL that somebody is writing. */
export interface Text {
  cursor?: number
  /** Properties are as in a Spec. Cursor is where it is written, in UTF-16 units from the beginning, as JavaScript counts; only for completions. */
  properties?: Record<string, string>
  statement: string
}

/** Timeline is event time against wall clock over the last ten minutes, of the sources of a statement and of what the operators behind made of it; with the parameter since, in milliseconds, from then on. Moments are milliseconds since the epoch, event times too. */
export interface Timeline {
  api_version: string
  at: number
  firings: Firing[]
  from: number
  kind: string
  /** Marks are the watermark of the statement: the least of its sources that take part. */
  marks: TimelineMark[]
  running: boolean
  sources: TimelineSource[]
}

/** TimelineMark is a watermark from a moment on; Event is nil while there is none. */
export interface TimelineMark {
  at: number
  event: number | null
}

/** TimelineRow is a row of the sample, which has at least one of every stretch in which there were rows, and late ones before others. */
export interface TimelineRow {
  at: number
  event: number
  late?: boolean
}

/** TimelineSource is a source. */
export interface TimelineSource {
  instant: boolean
  marks: TimelineMark[]
  more?: number
  name: string
  splits: TimelineSplit[]
}

/** TimelineSpell is a stretch in which a split was idle or paused; To is 0 while it lasts. */
export interface TimelineSpell {
  from: number
  state: string
  to?: number
}

/** TimelineSplit is a split: a sample of its rows, its watermark, and the spells in which it took no part. */
export interface TimelineSplit {
  marks: TimelineMark[]
  name: string
  rows: TimelineRow[]
  spells: TimelineSpell[]
}

/** Traits are what the plan tells. */
export interface Traits {
  is_append_only: boolean
  is_bounded: boolean
  schema?: Schema
  sql_kind: string
  upsert_columns?: number[]
}

/** Type is a SQL type. What does not apply to it is left out. */
export interface Type {
  element_type?: Type
  fields?: Field[]
  fractional_precision?: number
  key_type?: Type
  length?: number
  nullable: boolean
  precision?: number
  resolution?: string
  scale?: number
  type: string
  value_type?: Type
}

/** Warning is something that may not be meant. */
export interface Warning {
  created_at: string
  message: string
  reason: string
  severity: string
}

/** Why is what a statement waits for. Watermarks and times of rows are text as the table has them, without a zone if its times have none; other times are RFC 3339. */
export interface Why {
  api_version: string
  at: string
  kind: string
  running: boolean
  sources: WhySource[]
  text?: string
  /** Waiting are the operators that hold something back until the watermark comes by, in the order of the rows. */
  waiting?: WhyWaiting[]
  watermark?: string
}

/** WhyRemedy is something to do. */
export interface WhyRemedy {
  sql?: string
  text: string
  then?: string
}

/** WhySource is what the watermark of a source waits for. */
export interface WhySource {
  awaited?: string[]
  holders?: WhySplit[]
  holds: boolean
  more?: number
  name: string
  releases?: string[]
  remedies?: WhyRemedy[]
  state: string
  table: string
  text: string
  watermark?: string
}

/** WhySplit is a split that holds the watermark. */
export interface WhySplit {
  doing: string
  idle_in_ms?: number
  last_row?: string
  rows: number
  since: string
  split: string
  upstream?: string
  value?: string
  watermark?: string
}

/** WhyWaiting is what an operator does first when the watermark comes by. NeededMs is how much of event time is left; absent while no watermark has come to it. */
export interface WhyWaiting {
  at: string
  needed_ms?: number
  operator_id: string
  operator_name: string
  start?: string
  text: string
  what: string
}
