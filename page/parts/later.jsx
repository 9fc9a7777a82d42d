import { useEffect, useState } from "preact/hooks";
import { Heading, Loading } from "./feedback.jsx";

/**
 * How each group is loaded. main.jsx fills it: a page of a group may show a later part itself.
 * @type {Record<string, () => Promise<any>>}
 */
export const groups = {};
const loaded = {};

/** Loads the code of a group, once. */
export const load = async (group) => (loaded[group] ??= await groups[group]());

/**
 * A part whose code is loaded when it is shown: its group, and its name in pages/<group>.mjs. `quiet`: it is not a page, or it is a "form".
 * @param {string} group
 * @param {string} name
 * @param {boolean | "form"} [quiet]
 */
export function later(group, name, quiet) {
  return function Later(given) {
    const [pages, setPages] = useState(loaded[group]);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (!pages) load(group).then(setPages, () => setFailed(true));
    }, []);
    if (failed) {
      return (
        <section class="missing">
          {quiet ? <h2>This could not be loaded</h2> : <Heading title="Problem">The page could not be loaded</Heading>}
          <p>The server cannot be reached, or has a newer version of its pages.</p>
          <p class="actions">
            <button onClick={() => location.reload()}>Load again</button>
          </p>
        </section>
      );
    }
    const Part = pages?.[name];
    if (Part) return <Part {...given} />;
    // letters that are typed meanwhile are meant for the form, so they are no keys
    if (quiet === "form") return <span class="waits" hidden />;
    return quiet ? null : <Loading what="Loading the page" />;
  };
}
