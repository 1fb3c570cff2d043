-- A partition falls silent, and a window does not fire. Paste this into the editor of the page of `tidemark server` and run it under the name `silence`: the statements are then
-- silence, silence-2 and so on.

-- Two partitions, and a row a second late at most. A partition without rows holds the watermark for a minute, then it is left out.
CREATE TABLE clicks (
  id BIGINT,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
)
DISTRIBUTED BY (id) INTO 2 BUCKETS
WITH (
  'scan.watermark.idle-timeout' = '1 min',
  'sink.delivery-guarantee' = 'at-least-once'
);

CREATE TABLE ticks (
  ts TIMESTAMP_LTZ(3)
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '4',
  'fields.ts.max-past' = '900 ms'
);

CREATE TABLE counts (
  w TIMESTAMP_LTZ(3),
  n BIGINT
);

-- Rows with the key 1 go to the first partition, those with the key 3 to the second. To stop silence-5 silences it.
INSERT INTO clicks
SELECT 1, ts
FROM ticks;

INSERT INTO clicks
SELECT 3, ts
FROM ticks;

-- Every five seconds a row, as soon as both partitions are past the end of the window.
-- tidemark:ignore window-shorter-than-drift: both come at one pace
INSERT INTO counts
SELECT window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end;
