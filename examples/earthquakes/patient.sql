-- hourly.sql with a watermark that waits 7 days instead of one: the slowest row is 6.7 days behind, so none is lost.
--
--   tidemark run examples/earthquakes/patient.sql
--
-- The price is the wait. The quakes span less than 7 days, so no hour is answered before the file ends and all 850
-- answers come together then. hourly.sql explains the trade and gives the figures.

CREATE TABLE quakes (
  id      STRING,
  `time`  TIMESTAMP_LTZ(3),
  updated TIMESTAMP_LTZ(3),
  net     STRING,
  mag     DOUBLE,
  place   STRING,
  WATERMARK FOR `time` AS `time` - INTERVAL '7' DAY
) WITH (
  'connector' = 'filesystem',
  'path' = 'examples/earthquakes/quakes.jsonl',
  'format' = 'json',
  'json.timestamp-format.standard' = 'ISO-8601'
);

SELECT window_start, window_end, net, COUNT(*) AS quakes, MAX(mag) AS strongest
FROM TABLE(TUMBLE(TABLE quakes, DESCRIPTOR(`time`), INTERVAL '1' HOUR))
GROUP BY window_start, window_end, net;
