{{ config(materialized='streaming_table', with={'changelog.mode': 'append'}) }}
select id, twice from {{ ref('evens') }}
