-- Earthquakes per hour and network: how many, and the strongest.
--
--   tidemark run examples/earthquakes/hourly.sql
--
-- Every quake has two times. `time` is when the ground shook: its EVENT TIME. `updated` is when the network published
-- it. The file is in order of publication, so the shaking in it goes back and forth: 1,295 of the 1,707 rows are older
-- than a row before them. Half of all rows are published within about 4 hours of the quake, one in four only after 16
-- hours, the slowest after 6.7 days.
--
-- So when is the count for 14:00 to 15:00 final? No row says "that was the last one". The WATERMARK is the answer we
-- choose: a moving line in event time that claims "everything up to here has arrived". In this file it trails the
-- newest `time` seen by one day. When it passes the end of an hour, that hour is answered once and its memory is freed.
-- A row that comes for an answered hour is too late; it is left out and counted in the summary at the end of the run.
--
-- The delay is a trade: a short one answers early and loses rows, a long one loses nothing and answers late. Here:
--
--   delay      rows counted    rows lost    windows out
--   1 hour              697        1,010            415
--   4 hours             890          817            515
--   1 day             1,396          311            757     this file
--   7 days            1,707            0            850     patient.sql: all its answers come at the end of the file
--
-- Change the interval and run again.

CREATE TABLE quakes (
  id      STRING,
  `time`  TIMESTAMP_LTZ(3),
  updated TIMESTAMP_LTZ(3),
  net     STRING, -- the network that reports: ci is Southern California, ak Alaska, us the whole world
  mag     DOUBLE,
  place   STRING,
  WATERMARK FOR `time` AS `time` - INTERVAL '1' DAY
) WITH (
  'connector' = 'filesystem',
  'path' = 'examples/earthquakes/quakes.jsonl',
  'format' = 'json',
  'json.timestamp-format.standard' = 'ISO-8601'
);

SELECT window_start, window_end, net, COUNT(*) AS quakes, MAX(mag) AS strongest
FROM TABLE(TUMBLE(TABLE quakes, DESCRIPTOR(`time`), INTERVAL '1' HOUR))
GROUP BY window_start, window_end, net;
