-- The tables that every case of errors/ and explain/ starts with.
CREATE TABLE bids (
  auction BIGINT NOT NULL,
  bidder BIGINT,
  price DOUBLE,
  channel STRING,
  paid BOOLEAN,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'testdata/bids.jsonl', 'format' = 'json');

CREATE TABLE clicks (
  id BIGINT,
  page STRING,
  clicked TIMESTAMP_LTZ(3),
  WATERMARK FOR clicked AS clicked
) WITH ('connector' = 'datagen');

CREATE TABLE raw (id INT, ms BIGINT, text STRING, seen TIMESTAMP(3))
WITH ('connector' = 'filesystem', 'path' = 'testdata/bids.jsonl', 'format' = 'json');

CREATE TABLE totals (bidder BIGINT, total DOUBLE NOT NULL, hour_end TIMESTAMP(3)) WITH ('connector' = 'print');

CREATE VIEW dear AS SELECT * FROM bids WHERE price > 100;

CREATE TABLE records (
  id BIGINT NOT NULL,
  name STRING COMMENT 'as it was typed',
  part INT METADATA FROM 'partition' VIRTUAL,
  seen TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  `offset` BIGINT METADATA VIRTUAL,
  upper_name AS UPPER(name),
  PRIMARY KEY (id) NOT ENFORCED,
  WATERMARK FOR seen AS seen - INTERVAL '2' SECOND
) COMMENT 'what happened' DISTRIBUTED BY HASH(id) INTO 4 BUCKETS WITH ('connector' = 'log', 'topic' = 'records');
