// Records as answers show them.

export const utc = (millis) => (millis === null ? null : new Date(millis).toISOString());

/** A commit's time with its own offset. */
export function zoned(seconds, minutes) {
  const local = new Date((seconds + minutes * 60) * 1000).toISOString().slice(0, 19);
  const two = (number) => String(number).padStart(2, "0");
  const east = Math.abs(minutes);
  return `${local}${minutes < 0 ? "-" : "+"}${two(Math.floor(east / 60))}:${two(east % 60)}`;
}

/** A user in brief. `avatar`: the MD5 of the email. */
export function person({ id, username, name, state, avatar }, { base, avatars }) {
  const host = base.startsWith("https:") ? "https://secure.gravatar.com" : "http://www.gravatar.com";
  const avatar_url = avatars ? `${host}/avatar/${avatar}?s=80&d=identicon` : null;
  return { name, username, id, state, avatar_url, web_url: `${base}/${username}` };
}

export const self = (me, links) => person({ ...me, id: me.user_id }, links);

export function milestone({ id, iid, project_id, title, description, state, created_at, updated_at, due_date }) {
  return { id, iid, project_id, title, description, state, created_at: utc(created_at), updated_at: utc(updated_at), due_date };
}

/** `row`: the columns of an issue; `labels`: titles; `planned`: its milestone or null; `author`, `assignee`: people in brief. */
export function issue(row, { labels, planned, author, assignee, subscribed }, fullPath, { base }) {
  const { id, iid, project_id, title, description, state, user_notes_count, due_date } = row;
  return {
    id,
    iid,
    project_id,
    title,
    description,
    state,
    created_at: utc(row.created_at),
    updated_at: utc(row.updated_at),
    labels,
    milestone: planned,
    assignee,
    author,
    subscribed,
    user_notes_count,
    due_date,
    confidential: row.confidential === 1,
    web_url: `${base}/${fullPath}/issues/${iid}`,
  };
}

export function status(row, author) {
  const { id, sha, ref, state, name, target_url, description } = row;
  return {
    id,
    sha,
    ref: ref || null,
    status: state,
    name,
    target_url,
    description,
    created_at: utc(row.created_at),
    started_at: utc(row.started_at),
    finished_at: utc(row.finished_at),
    allow_failure: false,
    author,
  };
}

export function commit({ sha, message, author_name, author_email, committed_at, committer_zone }) {
  return {
    id: sha,
    short_id: sha.slice(0, 8),
    title: subject(message),
    author_name,
    author_email,
    created_at: zoned(committed_at, committer_zone),
    message,
    allow_failure: false,
  };
}

/** The first non-blank line of a message. */
function subject(message) {
  const line =
    message
      .split("\n")
      .map((one) => one.replace(/[ \t\r]+$/, ""))
      .find(Boolean) ?? "--no commit message";
  const letters = [...line];
  return letters.length > 100 ? `${letters.slice(0, 80).join("")}…` : line;
}

/** A user with the fields that only they see. */
export function account(row, links) {
  const { bio, location, skype, linkedin, twitter, website_url, email, projects_limit } = row;
  const since = utc(row.created_at);
  return {
    ...self(row, links),
    created_at: since,
    is_admin: row.admin === 1,
    bio,
    location,
    skype,
    linkedin,
    twitter,
    website_url,
    last_sign_in_at: null,
    confirmed_at: since,
    email,
    theme_id: 1,
    color_scheme_id: 1,
    projects_limit,
    current_sign_in_at: null,
    identities: [],
    can_create_group: true,
    can_create_project: row.admin === 1 || row.projects_count < projects_limit,
    two_factor_enabled: false,
    external: row.external === 1,
  };
}
