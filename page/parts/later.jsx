import { useEffect, useState } from "preact/hooks";
import { Heading, Loading } from "./feedback.jsx";

let loaded = null;

/** A page of pages/later.mjs, by its name there. */
export const later = (name) =>
  function Later(given) {
    const [pages, setPages] = useState(loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (!loaded) import("../pages/later.mjs").then((all) => setPages((loaded = all)), () => setFailed(true));
    }, []);
    if (failed) {
      return (
        <section class="missing">
          <Heading title="Problem">The page could not be loaded</Heading>
          <p>The server cannot be reached, or has a newer version of its pages.</p>
          <p class="actions">
            <button onClick={() => location.reload()}>Load again</button>
          </p>
        </section>
      );
    }
    const Page = pages?.[name];
    return Page ? <Page {...given} /> : <Loading what="Loading the page" />;
  };
