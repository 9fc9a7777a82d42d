// The line that says what is new. It is over the page and moves nothing; a click shows what it is about.
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.mjs";

/** `turn`: each new one asks once. */
export function News({ of, words, show, turn }) {
  const [fresh, setFresh] = useState(/** @type {any} */ (null));
  // the newest answer, and the tag of the one that the page was made of then
  const seen = useRef(/** @type {{ of?: string, tag?: string }} */ ({}));
  const { path, query, tag, data, loading } = of;
  useEffect(() => {
    if (!path || !tag || loading) return;
    let stays = true;
    get(path, query, { unless: seen.current.of === tag ? seen.current.tag : tag }).then(
      (answer) => {
        if (!stays || !answer.data) return;
        seen.current = { of: tag, tag: answer.tag };
        setFresh({ data: answer.data });
      },
      // the next turn asks again
      () => {},
    );
    return () => void (stays = false);
  }, [turn]);
  const text = fresh && data && words(data, fresh.data);
  const act = () => {
    setFresh(null);
    show();
  };
  return (
    <div class="news" role="status">
      {text && (
        <button class="primary small" onClick={act}>
          {text}
        </button>
      )}
    </div>
  );
}
