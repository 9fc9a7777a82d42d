// CI without a secret, on the page of access tokens: makes a trust, and shows what to copy.
import { useEffect, useState } from "preact/hooks";
import { ask } from "../api.mjs";
import { Copy, Empty } from "../parts/feedback.jsx";
import { Form, Opens } from "../parts/form.jsx";

const fieldsOf = (systems, system) => {
  const { place, id, ref } = systems[system];
  return [
    { name: "system", label: "System", type: "select", options: Object.entries(systems).map(([key, { name }]) => [key, name]) },
    ...(place ? [{ name: "place", label: place, most: 200 }] : []),
    { name: "id", label: "Id of the repository", required: true, most: 200, hint: id[1], pattern: id[2] },
    ...(ref
      ? [{ name: "ref", label: "Branch", most: 200, hint: "Such as main. Empty: the jobs of every branch, tag and pull request come in." }]
      : []),
    { name: "name", label: "Name", required: true, most: 255 },
  ];
};

/** The systems and their steps, which nobody else needs, once they are loaded. */
function useSteps() {
  const [known, setKnown] = useState(/** @type {any} */ (null));
  useEffect(() => {
    import("../parts/ci-steps.mjs").then(setKnown, () => {});
  }, []);
  return known;
}

/** `path`: the project in the API. `reload`: reads the list again. */
export function Keyless({ project, path, reload }) {
  const [system, setSystem] = useState("github");
  const [made, setMade] = useState(/** @type {any} */ (null));
  const known = useSteps();
  return (
    <>
      <Opens button="Trust a CI">
        {(close) =>
          known && (
            <Form
              fields={fieldsOf(known.SYSTEMS, system)}
              value={{ system, name: "ci" }}
              draft={`trust ${path}`}
              button="Trust it"
              whole
              onInput={(name, value) => name === "system" && setSystem(value)}
              save={(body, once) =>
                ask("POST", `${path}/access_tokens`, { body: known.trustOf(body), once }).then(({ data }) => {
                  setMade(data);
                  reload();
                })
              }
              onCancel={close}
            />
          )
        }
      </Opens>
      {made && (
        <div class="notice" role="status">
          <Steps trust={made} project={project} />
        </div>
      )}
    </>
  );
}

/** What to copy into a workflow for a trust. */
export function Steps({ trust, project }) {
  const known = useSteps();
  if (!known) return null;
  const { audience } = trust;
  const step = known.step(trust, { server: location.origin, project });
  if (!step) return <Empty title="docs/ci.md has no step for this issuer." />;
  const { beginning, text } = step;
  return (
    <>
      <p>
        A job comes in with a JWT, which its CI signs for the audience <code>{audience}</code>. It is no secret.{" "}
        <Copy text={audience} what="the audience" first={undefined} />
      </p>
      {beginning && (
        <>
          <p>
            At the beginning of the workflow. If the workflow or the job has permissions already, add only the last line there:{" "}
            <Copy text={beginning} what="the beginning" first={undefined} />
          </p>
          <pre tabIndex={0}>{beginning}</pre>
        </>
      )}
      <p>
        The last step of each job that reports: <Copy text={text} what="the step" first={undefined} />
      </p>
      <pre tabIndex={0}>{text}</pre>
    </>
  );
}
