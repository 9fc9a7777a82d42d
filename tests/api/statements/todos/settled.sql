-- todos: settled
-- Rows in the small world: 1 given, 0 written

select json_quote(changes()) as v

-- Plan:
