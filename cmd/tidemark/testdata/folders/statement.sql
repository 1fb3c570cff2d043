CREATE TABLE t (k BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'in', 'format' = 'csv', 'source.monitor-interval' = '10 ms');
CREATE TABLE p (k BIGINT) WITH ('connector' = 'print');
CREATE TABLE w (d TIMESTAMP(3), k BIGINT, n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv');
EXECUTE STATEMENT SET BEGIN
INSERT INTO w SELECT window_start, k, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, k;
INSERT INTO p SELECT k FROM t;
END;
