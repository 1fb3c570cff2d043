-- Three columns of the one row in four that has a price of seven digits or more.
CREATE TABLE bids (
  auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP_LTZ(3), extra STRING,
  WATERMARK FOR dateTime AS dateTime - INTERVAL '4' SECOND
) WITH (
  'connector' = 'filesystem', 'path' = 'BIDS_FILE', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601'
);
CREATE TABLE dear (auction BIGINT, bidder BIGINT, price BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO dear SELECT auction, bidder, price FROM bids WHERE price >= 1000000;
