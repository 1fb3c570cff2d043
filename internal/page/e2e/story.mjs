// A statement as it could be, told as the server tells it: three partitions of clicks, one of which falls silent, holds the watermark, is left out, and comes back; another falls silent now.
// Nothing in it is random but for a generator that begins alike each time.

const second = 1000
const minute = 60 * second
const source = 'clicks'

function randomly(seed) {
  let x = seed
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return x / 4294967296
  }
}

/** simulate runs the story to its end at a moment. It is minutes long, and has so many rows per second in each partition. */
function simulate({ at, minutes = 5, perSecond = 2, delay = 2 * second, idleTimeout = 20 * second, size = 20 * second }) {
  const random = randomly(7)
  const begin = at - minutes * minute
  const partitions = [0, 1, 2].map(i => ({ name: `${source}-${i}`, rows: [], marks: [], spells: [], newest: -Infinity, mark: null, last: begin, idle: false, late: 0, read: 0 }))
  const marks = [{ at: begin, event: null }]
  const firings = []
  let mark = null
  let due = Math.ceil((begin - delay) / size) * size
  const counts = new Map()
  const silent = (p, now) => (p === partitions[1] && now > at - 190 * second && now < at - 110 * second) || (p === partitions[2] && now > at - 12 * second)
  for (let now = begin; now <= at; now += 100) {
    for (const p of partitions) {
      if (!silent(p, now) && random() < perSecond / 10) {
        const behind = random() < 0.06 ? delay + random() * 6 * second : random() * 1.6 * second
        const event = Math.round(now - behind)
        const late = mark !== null && event <= mark
        p.rows.push({ at: now, event, ...(late && { late: true }) })
        p.read++
        if (late) p.late++
        else counts.set(Math.floor(event / size) * size, (counts.get(Math.floor(event / size) * size) ?? 0) + 1)
        p.last = now
        if (p.idle) {
          p.idle = false
          p.spells.at(-1).to = now
        }
        p.newest = Math.max(p.newest, event)
      }
      if (now - begin > 0 && (now - begin) % 200 === 0) {
        if (!p.idle && now - p.last >= idleTimeout) {
          p.idle = true
          p.spells.push({ state: 'idle', from: now })
        }
        const own = p.newest - delay
        if (own > -Infinity && own !== p.mark) p.marks.push({ at: now, event: (p.mark = own) })
      }
    }
    const active = partitions.filter(p => !p.idle)
    const least = Math.min(...active.map(p => p.mark ?? -Infinity))
    if (active.length > 0 && least > (mark ?? -Infinity)) {
      mark = least
      marks.push({ at: now, event: mark })
      for (; due <= mark; due += size) {
        const rows = counts.get(due - size) ?? 0
        if (rows > 0) firings.push({ at: now, operator_id: 'op-3', start: due - size, end: due, rows })
      }
    }
  }
  return { at, begin, partitions, marks, mark, firings, due, idleTimeout, delay }
}

const markOf = (at, event) =>
  event === null
    ? undefined
    : {
        watermark: new Date(event).toISOString().replace('T', ' ').slice(0, 23),
        at: event,
        delay_ms: at - event,
        text: at - event < minute ? 'Up to date' : `${Math.floor((at - event) / minute)} min`,
      }

const counted = (total, perSecond) => ({ total, per_second: perSecond })
const time = event => new Date(event).toISOString().replace('T', ' ').slice(0, 23)

export function timeline(at, options) {
  const s = simulate({ at, ...options })
  return {
    at,
    running: true,
    from: s.begin,
    sources: [{ name: source, instant: false, marks: s.marks, splits: s.partitions.map(({ name, rows, marks, spells }) => ({ name, rows, marks, spells })) }],
    firings: s.firings,
    marks: s.marks,
  }
}

const strategy = [
  { name: 'watermark', value: "`ts` - INTERVAL '2' SECOND", from: 'WATERMARK clause' },
  { name: 'idle timeout', value: '20 s', from: 'table' },
]

/** profile of the statement. With many, there are so many more partitions; with pressed, a task behind is slow. */
export function profile(at, { many = 0, pressed = false, streams = false } = {}) {
  const s = simulate({ at })
  const mark = markOf(at, s.mark)
  const held = s.partitions[2]
  const rows = s.partitions.reduce((n, p) => n + p.read, 0)
  const late = s.partitions.reduce((n, p) => n + p.late, 0)
  const partitions = s.partitions.map(p => ({
    split: p.name,
    mark: markOf(at, p.mark),
    state: p.idle ? 'idle' : 'active',
    since: s.begin,
    holds: p === held,
    rows: p.read,
    late: p.late,
    last_row: p.newest,
    behind: 0,
    active: p === held ? 82.4 : 100,
    blocked: p === held ? 17.6 : 0,
    idle: 0,
  }))
  for (let i = 3; i < 3 + many; i++)
    partitions.push({
      split: `${source}-${i}`,
      mark: markOf(at, s.mark + i * 10),
      state: i % 7 === 0 ? 'idle' : 'active',
      since: s.begin,
      holds: false,
      rows: 1000 + i,
      late: i % 3,
      behind: i,
      active: i % 7 === 0 ? 0 : 100,
      blocked: 0,
      idle: i % 7 === 0 ? 100 : 0,
    })
  const operator = (id, name, more = {}) => ({
    operator_id: id,
    operator_name: name,
    input: mark,
    output: mark,
    in: counted(rows, 6.1),
    out: counted(rows, 6.1),
    state_bytes: 0,
    keys: 0,
    dropped: 0,
    ...more,
  })
  const task = (id, name, inputs, more) => ({
    task_id: id,
    task_name: name,
    input_tasks: inputs.map((task_id, num) => ({ task_id, num })),
    instances: 1,
    mark,
    in: counted(rows, 6.1),
    out: counted(rows, 6.1),
    bytes_in: counted(rows * 80, 488),
    bytes_out: counted(rows * 64, 390),
    late: 0,
    dropped: 0,
    state_bytes: 0,
    shares: { busy: 0.4, backpressured: 0, idle: 99.6 },
    operators: [],
    partitions: [],
    ...more,
  })
  return {
    at,
    running: true,
    began: s.begin,
    window_ms: 5000,
    input: mark,
    output: mark,
    late,
    dropped: Math.floor(late / 2),
    restarts: 1,
    sources: [
      { name: source, table: source, task: 't1', mark, rows: counted(rows, 6.1), bytes: counted(rows * 80, 488), behind: 0, late, skipped: 0, null_times: 0, state: 'held', strategy },
      {
        name: 'rates',
        table: 'rates',
        task: 't2',
        mark: markOf(at, at - 900),
        rows: counted(31_200, 104),
        bytes: counted(4_100_000, 9000),
        behind: 12,
        late: 0,
        skipped: 0,
        null_times: 0,
        state: 'moving',
        strategy,
      },
    ],
    ...(streams && {
      streams: [
        { name: 'read/clicks', mark, system: markOf(at, at - 2400), rows: counted(rows, 6.1) },
        { name: 'visits', mark: markOf(at, s.mark - 60_000), system: markOf(at, at - 2400), rows: counted(812, 0.2) },
        { name: 'count/close', rows: { total: 0 } },
      ],
      groups: [{ name: 'default-alignment-group', mark, system: markOf(at, at - 2400) }],
    }),
    sinks: [{ name: 'counts', mark, rows: counted(s.firings.length, 0.05), bytes: counted(s.firings.length * 40, 2) }],
    tasks: [
      task('t1', 'source clicks, filter', [], {
        reads: source,
        late,
        recent_late: 3,
        worst_lateness_ms: 5321,
        shares: pressed ? { busy: 9.2, backpressured: 84.6, idle: 6.2 } : { busy: 1.2, backpressured: 0, idle: 98.8 },
        operators: [operator('op-1', 'Source: clicks'), operator('op-2', 'Filter')],
        partitions,
      }),
      task('t2', 'source rates', [], {
        reads: 'rates',
        mark: markOf(at, at - 900),
        in: counted(31_200, 104),
        out: counted(31_200, 104),
        recent_late: 0,
        worst_lateness_ms: 0,
        operators: [operator('op-6', 'Source: rates')],
      }),
      task('t3', 'temporal join', ['t1', 't2'], {
        instances: 4,
        state_bytes: 3_480_000,
        shares: pressed ? { busy: 97.1, backpressured: 0, idle: 2.9 } : { busy: 12.5, backpressured: 0.3, idle: 87.2 },
        operators: [operator('op-7', 'TemporalJoin', { state_bytes: 3_480_000, keys: 5123, next: { at: s.mark + 400, text: time(s.mark + 400), what: 'rows', needed_ms: 400 } })],
      }),
      task('t4', 'window aggregate', ['t3'], {
        instances: 4,
        state_bytes: 48_200,
        dropped: Math.floor(late / 2),
        out: counted(s.firings.length, 0.05),
        operators: [
          operator('op-3', 'WindowAggregate', {
            state_bytes: 48_200,
            keys: 212,
            dropped: Math.floor(late / 2),
            next: { at: s.due, text: time(s.due), start: s.due - 20 * second, what: 'window', needed_ms: s.due - s.mark },
          }),
          operator('op-4', 'Calc'),
        ],
      }),
      task('t5', 'sink counts', ['t4'], { writes: ['counts'], in: counted(s.firings.length, 0.05), out: counted(s.firings.length, 0.05), operators: [operator('op-5', 'Sink: counts')] }),
    ],
    checkpoints: { completed: 29, failed: 0, last_at: at - 4000, last_took_ms: 12, last_size_bytes: 52_000 },
  }
}

export function why(at) {
  const s = simulate({ at })
  const held = s.partitions[2]
  const silent = at - held.last
  const last = held.rows.at(-1)
  return {
    at: new Date(at).toISOString(),
    running: true,
    watermark: time(s.mark),
    sources: [
      {
        name: source,
        table: source,
        state: 'held',
        holds: true,
        watermark: time(s.mark),
        text: `the watermark of 'clicks' stays at ${time(s.mark)} because of clicks-2, which has had no row for ${(silent / 1000).toFixed(1)} s, and whose last row was of ${time(last.event)}`,
        holders: [
          {
            split: held.name,
            doing: 'silent',
            since: new Date(held.last).toISOString(),
            watermark: time(held.mark),
            last_row: time(last.event),
            rows: held.read,
            idle_in_ms: s.idleTimeout - silent,
          },
        ],
        releases: ['a row in clicks-2', `its idle timeout (20 s), in ${((s.idleTimeout - silent) / 1000).toFixed(1)} s`],
        remedies: [
          {
            text: 'wait less for silent splits',
            sql: "ALTER TABLE `clicks` SET ('scan.watermark.idle-timeout' = '5 s')",
            then: 'then delete this statement and make it again: it keeps its tables as they were when it was made',
          },
          { text: 'heartbeat rows from whoever writes, if silence is normal' },
        ],
      },
      { name: 'rates', table: 'rates', state: 'moving', holds: false, watermark: time(at - 900), text: `the watermark of 'rates' follows its rows: it is at ${time(at - 900)}` },
    ],
    waiting: [
      {
        operator_id: 'op-3',
        operator_name: 'TUMBLE(size 20 s)',
        what: 'window',
        start: time(s.due - 20 * second),
        at: time(s.due),
        needed_ms: s.due - s.mark,
        text: `TUMBLE(size 20 s): the window from ${time(s.due - 20 * second)} to ${time(s.due)} needs ${((s.due - s.mark) / 1000).toFixed(1)} s more of event time`,
      },
    ],
  }
}

const sql = "INSERT INTO counts\nSELECT window_start, COUNT(*)\nFROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '20' SECOND))\nGROUP BY window_start, window_end"

export function statement(at, phase = 'RUNNING') {
  return {
    api_version: 'sql/v1',
    kind: 'Statement',
    metadata: { created_at: new Date(at - 7 * minute).toISOString() },
    name: 'count',
    organization_id: 'local',
    environment_id: 'local',
    spec: { statement: sql, properties: {}, stopped: phase === 'STOPPED' },
    status: { phase, detail: '', warnings: [], traits: { sql_kind: 'INSERT_INTO', is_bounded: false, is_append_only: true, schema: null } },
  }
}

/** history of late rows from a moment to another; the server was away for a tenth of it. */
export function history(from, to, step) {
  const random = randomly(3)
  const values = []
  for (let t = from; t < to; t += step) values.push(random())
  const away = i => i > values.length * 0.3 && i < values.length * 0.4
  const series = (name, labels, f) => ({ name, labels, values: values.map((v, i) => (away(i) ? null : f(v))) })
  return {
    from,
    step_ms: step,
    series: [
      series('num_late_records_in', { table: source }, v => (v > 0.6 ? Math.round(v * 40) : 0)),
      series('task/num_late_records_in', { flink_task_id: 't1' }, v => (v > 0.6 ? Math.round(v * 40) : 0)),
      series('task/max_input_lateness_ms', { flink_task_id: 't1' }, v => (v > 0.6 ? Math.round(v * 6000) : 0)),
    ],
  }
}

const disorder = (rows, share, p) => ({
  rows: Math.round(rows * share),
  share,
  p50_ms: p[0],
  p90_ms: p[1],
  p99_ms: p[2],
  p99_9_ms: p[3],
  p99_99_ms: p[4],
  worst: { by_ms: p[5], time: '2026-11-30 12:00:00.123', split: 'clicks-1', row: 104 },
})

export const advice = {
  state: 'done',
  rows: 128_400,
  report: {
    table: source,
    column: 'ts',
    watermark: "`ts` - INTERVAL '2' SECOND",
    rows: 128_400,
    null_times: 3,
    oldest: '2026-11-30 11:02:00.000',
    newest: '2026-11-30 12:02:31.221',
    out_of_order: disorder(128_400, 0.71, [310, 1400, 5100, 7600, 7990, 8012]),
    splits: [
      { name: 'clicks-0', splits: 1, rows: 52_100, null_times: 0, out_of_order: disorder(52_100, 0.7, [290, 1300, 4100, 7100, 7700, 7800]) },
      { name: 'clicks-1', splits: 1, rows: 51_300, null_times: 3, out_of_order: disorder(51_300, 0.72, [330, 1500, 5900, 7700, 7990, 8012]) },
      { name: 'clicks-2', splits: 1, rows: 25_000, null_times: 0, out_of_order: disorder(25_000, 0.68, [12, 40, 900, 1400, 1800, 2100]) },
    ],
    present: { delay_ms: 2000, late: 6120, share: 0.0477 },
    delays: [
      [0, 91_000, -2000],
      [100, 84_000, -1900],
      [1000, 31_000, -1000],
      [2000, 6120, 0],
      [5000, 1310, 3000],
      [8000, 4, 6000],
      [10_000, 0, 8000],
    ].map(([delay_ms, late, later_ms]) => ({ delay_ms, late, share: late / 128_400, late_in_own_split: Math.round(late * 1.1), later_ms, ...(delay_ms === 2000 && { now: true }) })),
    advice: [
      ['99', 6000, 1200],
      ['99.9', 8000, 100],
      ['99.99', 8000, 4],
      ['100', 10_000, 0],
    ].map(([on_time_percent, delay_ms, late]) => ({
      on_time_percent,
      delay_ms,
      delay_for_own_split_ms: delay_ms,
      late,
      later_ms: delay_ms - 2000,
      sql: `ALTER TABLE clicks MODIFY WATERMARK FOR ts AS ts - INTERVAL '${delay_ms / 1000}' SECOND`,
    })),
    held: { p50_ms: 120, p99_ms: 900 },
    findings: [
      {
        name: 'delay-too-small',
        text: "the watermark `ts` - INTERVAL '2' SECOND makes 6,120 of 128,400 rows late, 4.8 %: its delay is too small",
        remedies: ["ALTER TABLE clicks MODIFY WATERMARK FOR ts AS ts - INTERVAL '8' SECOND"],
      },
    ],
  },
}
