// `/projects/new`
import { ask, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, ForMembers, Heading } from "../parts/feedback.jsx";
import { Form } from "../parts/form.jsx";
import { remember } from "../parts/known.mjs";
import { to } from "../route.mjs";

export const VISIBILITIES = [
  ["private", "Private: members only"],
  ["internal", "Internal: everybody with a token"],
  ["public", "Public: everybody"],
];
export const PROJECT_FIELDS = [
  { name: "name", label: "Name", required: true, most: 255 },
  { name: "description", label: "Description", most: 2000 },
  { name: "visibility", label: "Who can see it", type: "select", options: VISIBILITIES },
];

export function NewProjectPage({ search, session }) {
  return (
    <>
      <Heading title="New project">New project</Heading>
      <ForMembers what="where you can create projects" />
      {session?.id && <NewProject search={search} user={session.user} />}
    </>
  );
}

function NewProject({ search, user }) {
  const answer = useApi("/namespaces", { per_page: 100 });
  const wanted = Number(new URLSearchParams(search).get("namespace_id")) || user.id;
  const create = async ({ path, ...values }) => {
    const { data } = await ask("POST", "/projects", { body: { ...values, ...(path && { path }) } });
    remember(data);
    goTo(to.project(data.path_with_namespace));
  };
  return (
    <Answer of={answer} what="Loading your groups">
      {(namespaces) => {
        const own = namespaces.some(({ id }) => id === user.id) ? [] : [[user.id, user.username]];
        const options = [
          ...own,
          ...namespaces.map(({ id, full_path, kind }) => [id, kind === "group" ? `${full_path} (group)` : full_path]),
        ];
        const fields = [
          PROJECT_FIELDS[0],
          { name: "namespace_id", label: "Belongs to", type: "select", options },
          { name: "path", label: "Path", most: 255, hint: "The last part of its address. If it is empty, it is made of the name." },
          ...PROJECT_FIELDS.slice(1),
        ];
        const first = options.some(([id]) => id === wanted) ? wanted : user.id;
        return (
          <div class="settings">
            <Form
              fields={fields}
              value={{ namespace_id: first, visibility: "private" }}
              draft="new project"
              button="Create project"
              whole
              save={create}
              opened
            />
            <p class="quiet">Commits appear in it when the hook of your git server sends them. The project's page shows the command.</p>
          </div>
        );
      }}
    </Answer>
  );
}
