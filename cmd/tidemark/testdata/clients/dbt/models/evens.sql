select id, id * 2 as twice from {{ ref('clicks_in') }} where mod(id, 2) = 0
