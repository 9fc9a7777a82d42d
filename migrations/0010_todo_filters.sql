-- To-do items by each filter of their list. An index by author, project or both goes on with the action: of each action a
-- range in the order of the ids, which the list merges.

create index todos_by_action on todos (user_id, state, action);
create index todos_by_author on todos (user_id, state, author_id, action);
create index todos_by_project on todos (user_id, state, project_id, action);
create index todos_by_project_and_author on todos (user_id, state, project_id, author_id, action);
-- the list without a filter merges the ranges of all actions
drop index todos_of_user;
