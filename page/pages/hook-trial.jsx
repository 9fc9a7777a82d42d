import { useState } from "preact/hooks";
import { ask } from "../api.mjs";
import { useSending } from "../parts/draft.jsx";
import { Problem } from "../parts/feedback.jsx";
import { EVENTS } from "../parts/hook-fields.mjs";

/** Calls the hook with the newest record of a kind. */
export function Trial({ path, hook, tried }) {
  const offered = EVENTS.filter(([name]) => hook[name]);
  const [trigger, setTrigger] = useState((offered[0] ?? EVENTS[0])[0]);
  const [done, setDone] = useState("");
  const { busy, error, send } = useSending();
  const test = async (event) => {
    event.preventDefault();
    setDone("");
    const answer = await send([trigger, Date.now()], () => ask("POST", `${path}/test/${trigger}`));
    setDone(answer ? "The receiver took it." : "");
    tried();
  };
  return (
    <form class="filters" onSubmit={test}>
      <label>
        Test with the newest of
        <select value={trigger} onChange={({ currentTarget: target }) => setTrigger(target.value)}>
          {EVENTS.map(([name, words]) => (
            <option key={name} value={name} selected={name === trigger}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button disabled={busy}>{busy ? "Calling …" : "Test"}</button>
      <span role="status">{done}</span>
      {error && <Problem error={error} />}
    </form>
  );
}
