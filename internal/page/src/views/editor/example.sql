-- Bids of made-up people, 20 in a second and up to 3 seconds out of order; the table waits 2 seconds for those that are late.
CREATE TABLE IF NOT EXISTS example_bids (
  bidder STRING,
  price  DOUBLE,
  ts     TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH (
  'connector' = 'faker', 'rows-per-second' = '20',
  'fields.bidder.expression' = '#{Options.option ''Ada'',''Ben'',''Cleo''}',
  'fields.price.expression' = '#{number.numberBetween ''1'',''900''}',
  'fields.ts.expression' = '#{date.past ''3'',''SECONDS''}');

-- Every five seconds a row for each of them, as soon as the watermark has passed the end of the window.
SELECT window_start, bidder, COUNT(*) AS bids, MAX(price) AS highest
FROM TABLE(TUMBLE(TABLE example_bids, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end, bidder;
