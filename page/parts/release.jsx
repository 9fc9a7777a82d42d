// What the pages of releases share: facts, assets, and the form.
import { useState } from "preact/hooks";
import { ask, get, inProject, useApi } from "../api.mjs";
import { to } from "../route.mjs";
import { Copy } from "./feedback.jsx";
import { Outside } from "./markdown.jsx";
import { Asks } from "./asks.jsx";
import { Form, Opens } from "./form.jsx";
import { Icon } from "./icons.jsx";
import { Person, Sha } from "./marks.jsx";
import { Menu } from "./menu.jsx";
import { usePaused } from "./picker.jsx";
import { listOf } from "./suggesting.jsx";
import { Time } from "./time.jsx";

export const releaseOf = (project, tag) => inProject(project, `/releases/${encodeURIComponent(tag)}`);

export const ReleaseFacts = ({
  release: { tag_name: tag, commit, author, released_at, upcoming_release: isUpcoming, milestones = [] },
  project,
}) => (
  <p class="byline">
    {isUpcoming && <span class="tag">upcoming</span>}
    {tag && (
      <a class="tag" href={to.tag(project, tag)} title="The tag">
        <Icon name="tag" />
        {tag}
      </a>
    )}
    {commit && <Sha project={project} sha={commit.id} />}
    {author && <Person user={author} />}
    <span class="quiet">
      {isUpcoming ? "to be released" : "released"} <Time at={released_at} />
    </span>
    {milestones.map(({ id, iid, title, issue_stats: { total, closed } }) => (
      <span key={id}>
        <a href={to.milestone(project, iid)}>{title}</a>
        {total > 0 && (
          <span class="quiet">
            {" "}
            {closed} of {total} issues closed
          </span>
        )}
      </span>
    ))}
  </p>
);

/**
 * `change()`: called after a link was changed, for those who may.
 * @param {{ release: any, project: string, change?: () => void }} props
 */
export const Assets = ({
  release: {
    tag_name: tag,
    assets: { sources, links },
  },
  project,
  change,
}) => (
  <ul class="rows dense">
    {links.map((link) => (
      <Link key={link.id} link={link} path={tag && `${releaseOf(project, tag)}/assets/links/${link.id}`} change={change} />
    ))}
    {sources.length > 0 && (
      <li class="row">
        <div class="row-main">
          <Icon name="folder" />
          Source code
          {sources.map(({ format, url }) => (
            <Outside key={format} href={url}>
              {format}
            </Outside>
          ))}
        </div>
      </li>
    )}
  </ul>
);

const TYPES = [
  ["other", "Other"],
  ["package", "Package"],
  ["image", "Image"],
  ["runbook", "Runbook"],
];
const LINK_FIELDS = [
  { name: "name", label: "Name", required: true, most: 255 },
  { name: "url", label: "Address", type: "url", required: true, most: 2048 },
  { name: "link_type", label: "Kind", type: "select", options: TYPES },
  {
    name: "direct_asset_path",
    label: "Lasting path",
    most: 128,
    hint: "For example /bin/tool: an address below the release that leads to the one above, also after a change of it.",
  },
];

/** The path of a link's lasting address, if it has one. */
const lastingPath = ({ direct_asset_url: lasting, url }) =>
  lasting === url ? undefined : /\/-\/releases\/[^/]+\/downloads(\/.*)$/.exec(lasting)?.[1];
const linkValues = (link) => ({ ...link, direct_asset_path: lastingPath(link) });

function Link({ link, path, change }) {
  const { name, url, link_type: kind, direct_asset_url: lasting } = link;
  // the API wants a name or an address
  const save = (values) => ask("PUT", path, { body: { name, ...values } }).then(change);
  return (
    <li class="row">
      <div class="row-main">
        <Icon name="file" />
        <Outside href={url}>{name}</Outside>
        {kind !== "other" && <span class="tag">{kind}</span>}
      </div>
      <div class="row-side">
        {lasting !== url && (
          <span class="quiet">
            lasting address <Copy text={lasting} what={`the lasting address of ${name}`} />
          </span>
        )}
      </div>
      {change && (
        <Opens
          button={
            <>
              Edit<span class="unseen"> {name}</span>
            </>
          }
        >
          {(close) => (
            <Form
              fields={LINK_FIELDS}
              value={linkValues(link)}
              current={() => get(path).then(({ data }) => linkValues(data))}
              draft={`link ${path}`}
              button="Save"
              save={save}
              onCancel={close}
            />
          )}
        </Opens>
      )}
      {change && (
        <Menu of={name}>
          <Asks button="Delete" of={name} question={`Delete the link ${name}?`} act={() => ask("DELETE", path).then(change)} />
        </Menu>
      )}
    </li>
  );
}

export const NewLink = ({ project, tag, change }) => {
  const path = `${releaseOf(project, tag)}/assets/links`;
  return (
    <Opens button="Add a link">
      {(close) => (
        <Form
          fields={LINK_FIELDS}
          value={{ link_type: "other" }}
          draft={`link ${path}`}
          button="Add link"
          whole
          save={(body) => ask("POST", path, { body }).then(change)}
          onCancel={close}
        />
      )}
    </Opens>
  );
};

const titles = (milestones) => (milestones ?? []).map(({ title }) => title);

/** A release as values of the form. */
export const valuesOf = ({ name, description, released_at, milestones }) => ({
  name,
  description,
  released_at: released_at.slice(0, 10),
  milestones: titles(milestones),
});

/**
 * `value`: of the form; `isNew`: with the tag.
 * @param {{ isNew?: boolean } & Omit<Parameters<typeof Form>[0], "fields" | "onInput">} props
 */
export function ReleaseForm({ project, value, isNew, ...given }) {
  const milestones = useApi(inProject(project, "/milestones"), { state: "active", per_page: 100 });
  const [typed, setTyped] = useState(value.tag_name ?? "");
  const words = usePaused(typed.trim());
  const tags = useApi(isNew && inProject(project, "/repository/tags"), { search: words.slice(0, 255) || undefined, per_page: 20 });
  const offered = [...new Set([...(value.milestones ?? []), ...titles(milestones.data)])];
  const found = words === typed.trim() ? listOf(tags) : null;
  const suggestions = found?.map((tag) => [tag.name, tag.release ? "has a release already" : tag.commit.title]) ?? null;
  const fields = [
    isNew && {
      name: "tag_name",
      label: "Tag",
      required: true,
      most: 1024,
      suggestions,
      hint: "A tag of the repository. Tags are made with git, not here.",
    },
    { name: "name", label: "Title", most: 255, hint: "If it is empty, the name of the tag." },
    { name: "description", label: "Notes", type: "markdown" },
    {
      name: "released_at",
      label: "Day of the release",
      type: "date",
      required: !isNew,
      hint: isNew ? "In UTC. If it is empty, now." : "In UTC.",
    },
    offered.length > 0 && { name: "milestones", label: "Milestones", type: "checks", options: offered.map((title) => [title, title]) },
  ].filter(Boolean);
  return (
    <Form fields={fields} value={value} project={project} onInput={(name, next) => name === "tag_name" && setTyped(next)} {...given} />
  );
}
