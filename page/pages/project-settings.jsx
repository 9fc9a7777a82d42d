// `/:namespace/:project/-/settings`
import { useState } from "preact/hooks";
import { ask, get, inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, Empty, ForMembers } from "../parts/feedback.jsx";
import { Asks } from "../parts/asks.jsx";
import { Form } from "../parts/form.jsx";
import { remember } from "../parts/known.mjs";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { toast } from "../parts/toast.jsx";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";
import { PROJECT_FIELDS } from "./new-project.jsx";

const FIELDS = [
  ...PROJECT_FIELDS,
  { name: "path", label: "Path", required: true, most: 255, hint: "The last part of the address. Links to the old address stop working." },
  { name: "default_branch", label: "Default branch" },
  { name: "issues_enabled", label: "Issues", type: "check" },
  { name: "jobs_enabled", label: "Builds and deployments", type: "check" },
];

export function SettingsPage({ project, session }) {
  const answer = useApi(session?.id ? inProject(project) : null);
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="settings" />
      <TitleRow title={`Settings · ${project}`} heading="Settings" beside={<Beneath project={project} tab="settings" />} />
      <ForMembers what="the settings" />
      {session?.id && (
        <Answer of={answer}>{(found) => <Settings project={found} path={project} user={session.user} set={answer.set} />}</Answer>
      )}
    </>
  );
}

function Settings({ project, path, user, set }) {
  const refused = withheld("EditProject", project, user);
  const isOwner = !withheld("DeleteProject", project, user);
  if (refused && !isOwner) return <Empty title={refused} />;
  const save = async (body, _key, seen) => {
    const { data } = await ask("PUT", inProject(path), { body, since: seen.updated_at });
    remember(data);
    set(data);
    if (data.path_with_namespace !== path) goTo(to.settings(data.path_with_namespace), { replace: true });
    toast("Saved.");
  };
  return (
    <div class="settings">
      {!refused && (
        <Form
          fields={FIELDS}
          value={project}
          draft={`settings ${path}`}
          button="Save"
          save={save}
          current={() => get(inProject(path)).then(({ data }) => data)}
          project={path}
        />
      )}
      {isOwner && <Danger project={project} path={path} set={set} />}
    </div>
  );
}

function Danger({ project, path, set }) {
  const [typed, setTyped] = useState("");
  const turn = async () => {
    const { data } = await ask("POST", inProject(path, project.archived ? "/unarchive" : "/archive"));
    remember(data);
    set(data);
  };
  return (
    <section aria-labelledby="danger">
      <h2 id="danger">Archive or delete</h2>
      <p>
        An archived project is only read, until an owner unarchives it. The hook still sends commits to it; members and tokens can still be
        changed.
      </p>
      <p class="actions">
        <Asks
          key={project.archived}
          button={project.archived ? "Unarchive" : "Archive"}
          of="this project"
          question={project.archived ? "Unarchive this project?" : "Archive this project?"}
          act={turn}
        />
      </p>
      <label>
        To delete the project with its issues, commits and builds, type {path}
        <input value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      {typed === path && (
        <p class="actions">
          <Asks
            button="Delete"
            of="this project"
            question={`Delete ${path} for everybody?`}
            act={() => ask("DELETE", inProject(path)).then(() => goTo("/"))}
          />
        </p>
      )}
    </section>
  );
}
