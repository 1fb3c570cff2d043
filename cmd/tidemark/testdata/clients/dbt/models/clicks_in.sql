{{ config(materialized='streaming_source', connector='datagen', with={'rows-per-second': '50', 'fields.id.kind': 'sequence', 'fields.id.start': '1', 'fields.id.end': '100000'}) }}
`id` BIGINT, `name` STRING
