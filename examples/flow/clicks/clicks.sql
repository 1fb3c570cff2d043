CREATE TABLE shows (
  id     STRING,
  banner STRING,
  ts     TIMESTAMP_LTZ(6)
) WITH (
  'connector' = 'filesystem',
  'path' = 'examples/flow/clicks/shows.jsonl',
  'format' = 'json'
);

CREATE TABLE clicks (
  id STRING,
  ts TIMESTAMP_LTZ(6)
) WITH (
  'connector' = 'filesystem',
  'path' = 'examples/flow/clicks/clicks.jsonl',
  'format' = 'json'
);
