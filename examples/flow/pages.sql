-- The table that pages.yaml reads.
CREATE TABLE clicks (who STRING, page STRING, ts STRING)
WITH ('connector' = 'filesystem', 'path' = 'docs/clicks.jsonl', 'format' = 'json');
