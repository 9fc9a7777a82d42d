import { to } from "../route.mjs";
import { Icon } from "./icons.jsx";

const BUILD = {
  success: "passed",
  failed: "failed",
  running: "running",
  pending: "pending",
  canceled: "canceled",
  skipped: "skipped",
  created: "created",
  blocked: "blocked",
};

/**
 * Nothing without a state: most commits have no build.
 * @param {{ state?: string | null, words?: Record<string, string> }} props
 */
export const Build = ({ state, words = BUILD }) => {
  if (!state || !Object.hasOwn(words, state)) return null;
  return (
    <span class={`mark build-${state}`}>
      <Icon name={state} />
      {words[state]}
    </span>
  );
};

export const Deployed = ({ state }) => <Build state={state} words={{ ...BUILD, success: "deployed" }} />;

export const State = ({ state }) => (
  <span class={`mark state-${state === "closed" ? "closed" : "open"}`}>
    <Icon name={state === "closed" ? "closed" : "open"} />
    {state === "closed" ? "Closed" : "Open"}
  </span>
);

// answers to changes have only the names of labels, so colours are kept
const colours = new Map();
export const rememberLabels = (project, labels) =>
  labels.forEach((label) => label.color && colours.set(`${project} ${label.name}`, label.color));

export const Label = ({ label, project }) => {
  const name = label.name ?? label;
  const colour = label.color ?? colours.get(`${project} ${name}`);
  const dot = <i class="dot" style={colour ? { backgroundColor: colour } : undefined} />;
  return (
    <a class="label" href={to.issues(project, { labels: name })} title={name}>
      {dot}
      <span dir="auto">{name}</span>
    </a>
  );
};

export const Labels = ({ labels, project }) =>
  labels.length ? (
    <span class="labels">
      {labels.map((label) => (
        <Label key={label.name ?? label} label={label} project={project} />
      ))}
    </span>
  ) : null;

/** Shows two letters, because avatars would be loaded from another server. */
export const Face = ({ name }) => {
  const letters = [...String(name)].filter((letter) => /\p{L}|\p{N}/u.test(letter));
  const first = String(name)
    .split(/\s+/)
    .map((word) => [...word][0])
    .filter(Boolean);
  const shown = (first.length > 1 ? first.slice(0, 2) : letters.slice(0, 2)).join("").toUpperCase();
  const tone = [...String(name)].reduce((sum, letter) => (sum * 31 + Number(letter.codePointAt(0))) % 6, 7);
  return (
    <span class={`face tone-${tone}`} aria-hidden="true">
      {shown}
    </span>
  );
};

export const Person = ({ user }) =>
  user ? (
    <a class="person" href={to.person(user.username)} title={`@${user.username}`}>
      <Face name={user.name} />
      <span>{user.name}</span>
    </a>
  ) : (
    <span class="quiet">nobody</span>
  );

const VISIBILITY = { private: "Private", internal: "Internal", public: "Public" };
export const Visibility = ({ of }) => (
  <span class="tag">
    {of !== "public" && <Icon name="lock" />}
    {VISIBILITY[of] ?? of}
  </span>
);

export const Sha = ({ project, sha }) => (
  <a class="sha" href={to.commit(project, sha)}>
    <code>{sha.slice(0, 8)}</code>
  </a>
);

export const Counts = ({ added, removed }) => (
  <span class="counts">
    <span class="plus">+{added.toLocaleString("en")}</span> <span class="minus">−{removed.toLocaleString("en")}</span>
  </span>
);
