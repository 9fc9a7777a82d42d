// Puts issues that are there into a milestone.
import { useState } from "preact/hooks";
import { inProject } from "../api.mjs";
import { attempt } from "../parts/change.mjs";
import { useSending } from "../parts/draft.jsx";
import { Problem } from "../parts/feedback.jsx";
import { useEditor } from "../parts/opening.mjs";
import { Picker, useSuggestions } from "../parts/picker.jsx";
import { toast } from "../parts/toast.jsx";

/** `changed()` is called after each. */
export function AddIssues({ milestone, project, changed }) {
  const [open, setOpen, close, button] = useEditor();
  const { busy, error, send } = useSending();
  const put = async (issue, id, words, back) => {
    const answer = await send([issue.iid, id], () => attempt(inProject(project, `/issues/${issue.iid}`), issue, { milestone: id }));
    if (answer?.saved) toast(`${words} #${issue.iid}.`, back && (() => put(answer.saved, back.id, "Put back")));
    if (answer) changed();
  };
  const choose = ({ of }) => {
    close();
    put(of, milestone.id, "Added", { id: of.milestone?.id ?? 0 });
  };
  if (open) return <PickIssue milestone={milestone} project={project} choose={choose} close={close} />;
  return (
    <>
      <button class="small" disabled={busy} ref={button} onClick={() => setOpen(true)}>
        Add issues
      </button>
      {error && <Problem error={error} />}
    </>
  );
}

function PickIssue({ milestone, project, choose, close }) {
  const [text, setText] = useState("");
  const { options, loading } = useSuggestions(project, "issue", text);
  const others = options.filter(({ of }) => of.milestone?.id !== milestone.id);
  return <Picker label="Issue" options={others} choose={choose} close={close} text={text} setText={setText} loading={loading} />;
}
