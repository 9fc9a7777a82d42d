import { useState } from "preact/hooks";
import { ask, useApi } from "../api.mjs";
import { Buttons, useSending } from "../parts/draft.jsx";
import { Problem } from "../parts/feedback.jsx";
import { focusFirst } from "../parts/opening.mjs";

export function MoveIssue({ issue, path, onDone, onCancel }) {
  const { data: projects } = useApi("/projects", {
    membership: true,
    simple: true,
    with_issues_enabled: true,
    order_by: "last_activity_at",
    per_page: 100,
  });
  const [target, setTarget] = useState("");
  const { busy, error, send } = useSending();
  const others = (projects ?? []).filter((project) => project.id !== issue.project_id);
  async function submit(event) {
    event.preventDefault();
    const answer = await send(target, (once) => ask("POST", `${path}/move`, { body: { to_project_id: Number(target) }, once }));
    if (answer) onDone(answer.data);
  }
  return (
    <form class="card" onSubmit={submit} ref={focusFirst} data-changed={target || undefined}>
      <h2>Move this issue</h2>
      <p class="quiet">This issue will be closed, and a copy with its text and comments will be opened in the other project.</p>
      <label>
        To the project
        <select value={target} onChange={(event) => setTarget(event.currentTarget.value)} required>
          <option value="">Choose one</option>
          {others.map((project) => (
            <option key={project.id} value={String(project.id)}>
              {project.path_with_namespace}
            </option>
          ))}
        </select>
      </label>
      {error && <Problem error={error} />}
      <Buttons button="Move" sending="Moving …" busy={busy} disabled={!target} cancel={onCancel} />
    </form>
  );
}
