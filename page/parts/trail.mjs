// The list of commits that the user came from, so that a commit links to its neighbours in it. A reload forgets it.
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.mjs";

/** @type {any} */
let trail = null;

const of = (path, query) => JSON.stringify([path, query]);

/** `commits`: a page of the list, `place`: where it begins, `next`: where the next one does. */
export function keepTrail(path, query, place, { commits, next }) {
  const shas = commits.map(({ id }) => id);
  const goesOn = trail?.key === of(path, query) && trail.next && JSON.stringify(trail.next) === JSON.stringify(place);
  trail = { key: of(path, query), path, query, shas: goesOn ? [...trail.shas, ...shas] : shas, next };
}

async function extend() {
  const { path, query, next } = trail;
  const answer = await get(path, { ...query, ...next });
  if (trail.next === next) keepTrail(path, query, next, { commits: answer.data, next: answer.next });
}

/** Returns `{ newer, older }`, hashes or undefined. Without a list the older one is the first parent. */
export function useNeighbours(path, { id, parent_ids }) {
  const [, drawn] = useState(0);
  const isOurs = trail?.path === path && trail.shas.includes(id);
  const at = isOurs ? trail.shas.indexOf(id) : -1;
  const isLast = isOurs && at === trail.shas.length - 1;
  useEffect(() => {
    if (isLast && trail.next)
      extend().then(
        () => drawn((count) => count + 1),
        () => {},
      );
  }, [id, isLast]);
  if (!isOurs) return { older: parent_ids[0] };
  return { newer: trail.shas[at - 1], older: trail.shas[at + 1] };
}
