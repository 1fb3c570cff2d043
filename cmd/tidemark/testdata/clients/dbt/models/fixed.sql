{{ config(materialized='table') }}
select cast(1 as bigint) as a, 'x' as b
