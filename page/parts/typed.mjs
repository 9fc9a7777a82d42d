// Filters of issues as people type them: `is:open label:bug author:ann` and further words.
const PIECE = /(?:^|\s)(is|label|author|assignee|milestone|due):("[^"]*"?|\S+)/gi;
const STATES = { open: "opened", opened: "opened", closed: "closed", all: "all" };
const EITHER = { none: "None", any: "Any" };

/**
 * `{ words, filter }`: the words that are no filters, and the filters as the address of a list of issues has them, or null.
 * `me`: the username that `me` stands for.
 * @param {string} text
 * @param {string} [me]
 */
export function typed(text, me = "me") {
  /** @type {Record<string, string>} */
  const found = {};
  const rest = text.replace(PIECE, (whole, sign, given) => {
    const name = sign.toLowerCase();
    const value = given.replaceAll('"', "").replace(/^@/, "");
    const low = value.toLowerCase();
    if (name === "is") {
      if (!Object.hasOwn(STATES, low)) return whole;
      found.state = STATES[low];
    } else if (name === "label") found.labels = [found.labels, EITHER[low] ?? value].filter(Boolean).join(",");
    else if (name === "due") found.due = low === "none" ? "0" : low;
    else if (name === "milestone") found.milestone = EITHER[low] ?? value;
    else found[name] = low === "me" ? me : name === "assignee" && EITHER[low] ? EITHER[low] : value;
    return " ";
  });
  const words = rest.replace(/\s+/g, " ").trim();
  return { words, filter: Object.keys(found).length ? { state: "all", ...found, search: words } : null };
}
