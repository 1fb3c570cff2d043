CREATE TABLE clicks (who STRING, page STRING NOT NULL, n INT, tags ARRAY<STRING>, `at` TIMESTAMP_LTZ(3), WATERMARK FOR `at` AS `at` - INTERVAL '5' SECOND)
WITH ('connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE timeless (who STRING, `at` TIMESTAMP_LTZ(3)) WITH ('connector' = 'filesystem', 'path' = 'timeless.json', 'format' = 'json');
CREATE TABLE totals (who STRING, till TIMESTAMP_LTZ(6), n BIGINT, PRIMARY KEY (who, till) NOT ENFORCED);
CREATE TABLE people (id STRING, name STRING, PRIMARY KEY (id) NOT ENFORCED);
CREATE TABLE wide (a BIGINT, b STRING) WITH ('connector' = 'print');
CREATE VIEW seen AS SELECT who, `at` FROM clicks;
CREATE TABLE plain (k STRING, v BIGINT);
