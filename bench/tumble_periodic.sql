-- tumble.sql with a watermark every 200 ms of the clock instead of one with every row.
CREATE TABLE bids (
  auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP_LTZ(3), extra STRING,
  WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND
) WITH (
  'connector' = 'filesystem', 'path' = 'BIDS_FILE', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601',
  'scan.watermark.emit.strategy' = 'on-periodic'
);
CREATE TABLE counts (window_start TIMESTAMP(3), bidder BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO counts
SELECT window_start, bidder, COUNT(*)
FROM TUMBLE(TABLE bids, DESCRIPTOR(dateTime), INTERVAL '10' SECOND)
GROUP BY window_start, window_end, bidder;
