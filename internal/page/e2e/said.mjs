// Statements, lists and texts as a server could tell of them, for the views that are no part of the story.
const sql = "INSERT INTO counts\nSELECT window_start, COUNT(*)\nFROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '20' SECOND))\nGROUP BY window_start, window_end"
const mark = (at, delay, text) => ({ watermark: new Date(at - delay).toISOString().replace('T', ' ').slice(0, 23), at: at - delay, delay_ms: delay, text })

/** statement is one in a phase. With columns it is a SELECT. */
export function statement(at, { name = 'count', phase = 'RUNNING', detail = '', warnings = [], columns } = {}) {
  return {
    api_version: 'sql/v1',
    kind: 'Statement',
    name,
    organization_id: 'local',
    environment_id: 'local',
    metadata: { uid: `${name}-of-a-test`, created_at: new Date(at - 90 * 60_000).toISOString(), labels: { team: 'growth' } },
    spec: { statement: columns ? 'SELECT w, who, n FROM counts' : sql, properties: { 'sql.tables.scan.idle-timeout': '20 s' }, stopped: phase === 'STOPPED' },
    status: {
      phase,
      detail,
      warnings: warnings.map(message => ({ severity: 'MODERATE', created_at: new Date(at).toISOString(), reason: 'x', message })),
      traits: { sql_kind: columns ? 'SELECT' : 'INSERT_INTO', is_bounded: false, is_append_only: true, ...(columns && { schema: { columns } }) },
    },
  }
}

export const columns = [
  { name: 'w', type: { type: 'TIMESTAMP_WITH_LOCAL_TIME_ZONE', nullable: true, precision: 3 } },
  { name: 'who', type: { type: 'VARCHAR', nullable: true } },
  { name: 'n', type: { type: 'BIGINT', nullable: true } },
]

/** results are 60 rows of three people, of which one has no name, and all at once. */
export function results(at) {
  const data = Array.from({ length: 60 }, (_, i) => ({ op: i === 7 ? 1 : i === 8 ? 2 : 0, row: [new Date(at - (60 - i) * 20_000).toISOString().replace('T', ' ').slice(0, 23), ['Ada', 'Ben', null][i % 3], String((i * 37) % 91)] }))
  return { api_version: 'sql/v1', kind: 'StatementResult', metadata: { next: '' }, results: { data } }
}

/** overview is a statement in every phase. */
export function overview(at) {
  const line = (name, phase, type, more = {}) => ({ name, environment_id: 'local', phase, detail: '', type, created_at: new Date(at - 4e5).toISOString(), statement: sql.replace(/\s+/g, ' '), late: 0, warnings: 0, ...more })
  const runs = (behind, input, output) => ({ behind, in: { total: 90_000, per_second: 812.4 }, out: { total: 40, per_second: 0.3 }, input, output })
  const data = [
    line('count', 'RUNNING', 'INSERT_INTO', runs(0, mark(at, 2300, 'up to date'), mark(at, 9000, 'up to date'))),
    line('per-minute-and-country-of-all-shops', 'RUNNING', 'STATEMENT_SET', { ...runs(123_456, mark(at, 7.9e5, '13 min'), undefined), warnings: 2 }),
    line('sessions', 'DEGRADED', 'INSERT_INTO'),
    line('look', 'STOPPED', 'SELECT'),
    line('fill', 'COMPLETED', 'INSERT_INTO', { input: { watermark: '', at: 0, delay_ms: 0, text: 'ended', final: true } }),
    line('broken', 'FAILED', ''),
    line('new', 'PENDING', ''),
    line('old', 'DELETING', 'INSERT_INTO'),
  ]
  return { api_version: 'sql/v1', kind: 'StatementOverview', metadata: { next: '', total_size: data.length }, at, data }
}

export const problems = text => {
  const from = text.indexOf('FORM')
  return from < 0 ? [] : [{ severity: 'error', message: "expected FROM but found 'FORM'", hint: 'did you mean FROM?', from, to: from + 4, line: 1, column: from + 1 }]
}
