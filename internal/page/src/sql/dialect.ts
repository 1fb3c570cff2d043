// SQL as Flink writes it, and YQL, for colours. What a word means is for the server to say: it completes and checks.
import { SQLDialect } from '@codemirror/lang-sql'
import { split } from './split.ts'

const keywords = `add after all alter always analyze and any array as asc at before begin between both buckets by
  case cast catalog catalogs changelog changelog_mode char check collect column columns comment compile constraint count create cross cube current
  current_watermark current_date current_time current_timestamp cumulate
  database databases default define delete desc describe descriptor dialect distinct distributed drop else end enforced estimated_cost except execute exists explain extended
  false fetch filter first following for from full function functions generated group grouping having hash hop if ignore in inner insert intersect interval into is
  join json_execution_plan last lateral leading left like limit localtime localtimestamp match_recognize materialized matched measures metadata minus modify
  natural not null nulls of offset on one only or order ordinality outer over overwrite
  partition partitioned partitions past pattern per permute plan_advice preceding primary key range recursive rename replace reset respect right rollup row rows
  select session set sets show similar size skip some start statement subset system_time
  table tables tablesample temporary then to to_timestamp to_timestamp_ltz trailing true truncate tumble unbounded union unique unknown unnest update upsert use using
  values view views virtual watermark when where window with within without zone local
  day days hour hours minute minutes second seconds millisecond month months quarter week weeks year years
  current_row_timestamp proctime rowtime source_watermark match_proctime match_rowtime row_number rank dense_rank lag lead first_value last_value sum avg min max coalesce nullif try_cast listagg`

const types = `bigint binary boolean bytes date dec decimal double float int integer map multiset numeric precision real smallint string time timestamp timestamp_ltz tinyint varbinary varchar`

const words = (list: string) => list.trim().replace(/\s+/g, ' ')

const yqlKeywords = `action after all alter and any as asc assume async attach begin between bernoulli by case cast column columns commit consumer cross cube data declare default define delete desc
  discard distinct do drop else empty_action end erase escape evaluate except exclusion exists explain export external false flatten for from full global group grouping hop if ignore ilike import in inner insert
  intersect into is isnull join key left like limit list match materialize matches modify natural not notnull null nulls object offset on only optional or order outer over partition pragma presort primary process
  query rank range reduce regexp rename repeatable replace reset respect return right rlike rollup row rows sample schema select semi set sets source stream streaming symmetric table tablesample then ties to
  topic true unbounded union unique update upsert use using values view watermark when where window with without xor`

const yqlTypes = `bool bytes date date32 datetime datetime64 decimal dict double dynumber enum float int16 int32 int64 int8 interval interval64 json jsondocument list optional resource set string struct timestamp timestamp64 tuple
  tzdate tzdatetime tztimestamp uint16 uint32 uint64 uint8 utf8 uuid variant void yson`

export const flink = SQLDialect.define({ keywords: words(keywords), types: words(types), builtin: '', identifierQuotes: '`', doubleQuotedStrings: false, hashComments: false, slashComments: false, operatorChars: '*+-%<>!=~/|&?' })

export const yql = SQLDialect.define({ keywords: words(yqlKeywords), types: words(yqlTypes), builtin: '', identifierQuotes: '`', doubleQuotedStrings: true, backslashEscapes: true, hashComments: false, slashComments: false, specialVar: '$', operatorChars: '*+-%<>!=~/|&?' })

/** dialectOf is that of a text: a text with a statement of YQL has its colours as a whole, since what both have looks alike. */
export const dialectOf = (text: string) => (split(text).some(p => p.yql) ? yql : flink)
