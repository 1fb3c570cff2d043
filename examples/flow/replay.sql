-- The table of pages.sql with a watermark of its own, which goes by the rows. It counts if pages.yaml has no watermark_strategy:
--   sed '/watermark_strategy/,/idle_partitions/d' examples/flow/pages.yaml | tidemark run examples/flow/replay.sql -
CREATE TABLE clicks (
  who      STRING,
  page     STRING,
  ts       STRING,
  happened AS CAST(ts AS TIMESTAMP(3)),
  WATERMARK FOR happened AS happened - INTERVAL '10' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'docs/clicks.jsonl',
  'format' = 'json'
);
