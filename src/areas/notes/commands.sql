-- The answer to a comment that had nothing but commands.

-- name: only_commands
-- scope: project
-- returns: NoteRow?
-- In the place of a comment that would have nothing but commands: what they did.
select 0 as id, s.project_id, cast(:issue_id as integer) as issue_id, {user_object(s.user_id)} as author, '' as body,
  0 as system, s.now as created_at, s.now as updated_at, :commands as commands, :summary as summary
from scope s;

-- name: keep_only_commands
-- scope: project
-- Stores the same as the answer to the idempotency key. JSON would show the numbers of binds as fractions.
{keep_answer(json_object('id', 0, 'project_id', s.project_id, 'issue_id', cast(:issue_id as integer),
    'author', json({user_object(s.user_id)}), 'body', '', 'system', 0, 'created_at', cast(s.now as integer),
    'updated_at', cast(s.now as integer), 'commands', :commands, 'summary', :summary),
  from scope s)};
