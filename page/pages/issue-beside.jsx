// The column beside the text of an issue, around its fields.
import { useState } from "preact/hooks";
import { ask } from "../api.mjs";
import { useSending } from "../parts/draft.jsx";
import { Problem } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { toast } from "../parts/toast.jsx";

/** On a phone the fields are below the text, folded into a button that names some. */
export function Foldable({ issue: { assignee, labels, milestone }, children }) {
  const [open, setOpen] = useState(false);
  const words = [assignee?.name ?? "Nobody", ...labels.map((label) => label.name ?? label), milestone?.title];
  return (
    <div class={open ? "beside" : "beside folded"}>
      <button class="fold small" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "down" : "right"} />
        {words.filter(Boolean).join(" · ")}
        <span class="unseen">: all fields</span>
      </button>
      {children}
    </div>
  );
}

export function Watching({ issue, path, set }) {
  const { busy, error, send } = useSending();
  const subscribe = async () => {
    const verb = issue.subscribed ? "unsubscribe" : "subscribe";
    const answer = await send(verb, () => ask("POST", `${path}/${verb}`));
    if (answer) set((before) => ({ ...before, subscribed: verb === "subscribe" }));
  };
  const remind = async () => {
    const answer = await send("todo", () => ask("POST", `${path}/todo`));
    if (answer) toast(answer.data ? "Added to your to-do list." : "This issue is already on your to-do list.");
  };
  return (
    <div class="watching">
      <button class="small" disabled={busy} aria-pressed={Boolean(issue.subscribed)} onClick={subscribe}>
        <Icon name="bell" /> {issue.subscribed ? "Unsubscribe" : "Subscribe"}
      </button>
      <button class="small" disabled={busy} onClick={remind}>
        <Icon name="plus" /> Add to-do
      </button>
      {error && <Problem error={error} />}
    </div>
  );
}
