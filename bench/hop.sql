-- The same count in windows of 10 seconds that start every 2: each row is in five of them.
CREATE TABLE bids (
  auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP_LTZ(3), extra STRING,
  WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND
) WITH (
  'connector' = 'filesystem', 'path' = 'BIDS_FILE', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601'
);
CREATE TABLE counts (window_start TIMESTAMP(3), bidder BIGINT, n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO counts
SELECT window_start, bidder, COUNT(*)
FROM HOP(TABLE bids, DESCRIPTOR(dateTime), INTERVAL '2' SECOND, INTERVAL '10' SECOND)
GROUP BY window_start, window_end, bidder;
