-- name: ping
select 1 as answer
