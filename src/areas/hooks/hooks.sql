-- The columns of hooks with their secrets stay in the Worker: no answer is made of a sealed text.

-- list: list
-- scope: project
-- shows: HookRow
-- order: h.id
-- total: total
-- The hooks of the project, oldest first.
select h.* from hook_rows h where h.project_id = (select project_id from scope) and {after};

-- name: total
-- scope: project
-- returns: ListTotal?
select (select count(*) from hooks where project_id = s.project_id) as total, 0 as counted from scope s;

-- name: one
-- scope: project
-- returns: HookRow?
select h.* from scope s cross join hook_rows h on h.id = :id and h.project_id = s.project_id;

-- list: system_list
-- scope: caller
-- shows: HookRow
-- order: h.id
-- total: system_total
select h.* from hook_rows h where h.project_id is null and (select id from caller) is not null and {after};

-- name: system_total
-- scope: caller
-- returns: ListTotal?
select (select count(*) from hooks where project_id is null) as total, 0 as counted from caller;

-- name: system_one
-- scope: caller
-- returns: HookRow?
select h.* from caller c cross join hook_rows h on h.id = :id and h.project_id is null;

-- name: create
insert into hooks (project_id, maker_id, url, sealed_url, name, description, events, enable_ssl_verification,
  branch_filter_strategy, push_events_branch_filter, custom_webhook_template, token, signing_token, url_variables,
  custom_headers, created_at)
values (:project_id, :maker_id, :url, :sealed_url, :title, :description, :events, :ssl, :strategy, :filter, :template,
  :token, :signing_token, :variables, :headers, :now)
returning id;

-- name: update
-- Changes nothing if the hook has changed since it was read. A changed hook is enabled again.
update hooks
set maker_id = :maker_id, url = :url, sealed_url = :sealed_url, name = :title, description = :description,
  events = :events, enable_ssl_verification = :ssl, branch_filter_strategy = :strategy,
  push_events_branch_filter = :filter, custom_webhook_template = :template, token = :token,
  old_signing_token = :old_signing_token, old_signing_until = :old_signing_until, signing_token = :signing_token,
  url_variables = :variables, custom_headers = :headers, revision = revision + 1, failures = 0, disabled_until = null,
  next_at = :now
where id = :id and revision = :revision;

-- name: by_id
-- returns: HookRow?
select * from hook_rows where id = :id;

-- name: remove
-- Its deliveries are never sent, and retention removes them.
delete from hooks where id = :id;

-- name: newest
-- returns: HookRow
select * from hook_rows where id = (select max(id) from hooks);
