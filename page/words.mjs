// Which words changed between a removed line and the added line that replaced it.

/** Words, runs of spaces, and every other character by itself. */
const tokens = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[\s\S]/gu) ?? [];

const LONGEST = 5000;
/** If the product of the numbers of tokens is higher, only the common beginning and end of both lines are found. */
const MOST_STEPS = 40_000;
/** The least share of the longer line's characters that both lines have. Below it, nearly everything would be marked. */
const LEAST_SHARED = 0.35;

const lengthOf = (list) => list.reduce((sum, token) => sum + token.trim().length, 0);

/** A longest common subsequence: for each list, whether the token at an index is in it. */
function common(left, right) {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a--) {
    for (let b = right.length - 1; b >= 0; b--) {
      lengths[a * width + b] =
        left[a] === right[b] ? lengths[(a + 1) * width + b + 1] + 1 : Math.max(lengths[(a + 1) * width + b], lengths[a * width + b + 1]);
    }
  }
  const same = [left.map(() => false), right.map(() => false)];
  for (let a = 0, b = 0; a < left.length && b < right.length; ) {
    if (left[a] === right[b]) same[0][a++] = same[1][b++] = true;
    else if (lengths[(a + 1) * width + b] >= lengths[a * width + b + 1]) a++;
    else b++;
  }
  return same;
}

/** Joins tokens into pieces `{ text, changed }`. A space between two changed words counts as changed. */
function pieces(list, same) {
  const found = [];
  list.forEach((text, at) => {
    const between = !text.trim() && same[at - 1] === false && same[at + 1] === false;
    const changed = !same[at] || between;
    if (found.at(-1)?.changed === changed) found.at(-1).text += text;
    else found.push({ text, changed });
  });
  return found;
}

/** The pieces of both lines, `[old, new]`, or null if they share too little. */
export function changedWords(before, after) {
  if (before === after || before.length > LONGEST || after.length > LONGEST) return null;
  const [left, right] = [tokens(before), tokens(after)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  const middles = [left, right].map((list) => list.slice(start, list.length - end));
  const inside = middles[0].length * middles[1].length <= MOST_STEPS ? common(...middles) : middles.map((list) => list.map(() => false));
  const same = [left, right].map((list, side) =>
    list.map((_, at) => (at < start || at >= list.length - end ? true : inside[side][at - start])),
  );
  const shared = lengthOf(left.filter((_, at) => same[0][at]));
  if (shared < LEAST_SHARED * Math.max(lengthOf(left), lengthOf(right))) return null;
  return [pieces(left, same[0]), pieces(right, same[1])];
}

/** Cuts the coloured pieces of a line where those that changed begin and end: `{ text, kind, changed }`. */
export function cut(colours, words) {
  const [one, other] = [colours, words].map((list) => list.map((piece) => ({ ...piece })));
  const found = [];
  while (one.length && other.length) {
    const length = Math.min(one[0].text.length, other[0].text.length);
    found.push({ text: one[0].text.slice(0, length), kind: one[0].kind, changed: other[0].changed });
    for (const list of [one, other]) {
      list[0].text = list[0].text.slice(length);
      if (!list[0].text) list.shift();
    }
  }
  return found;
}
