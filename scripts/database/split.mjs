// Two ways to split SQL into statements.

/**
 * A simple splitter, like the worst reports of D1's query API: every semicolon outside quotes ends a statement. It does
 * not handle triggers and comments: it splits a trigger, and an apostrophe in a comment begins a text.
 */
export function splitNarrowly(sql) {
  const pieces = [];
  let piece = "";
  let quote = "";
  for (const character of sql) {
    piece += character;
    if (quote) quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === ";") {
      pieces.push(piece);
      piece = "";
    }
  }
  return [...pieces, piece].filter((text) => text.trim());
}

const token = /'(?:[^']|'')*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[A-Za-z_][A-Za-z0-9_$]*|\s+|[\s\S]/g;

/** A complete splitter, like `sqlite3_complete`: a trigger ends with the END after a semicolon; comments and quotes are skipped. */
export function* splitWholly(sql) {
  let piece = "";
  let head = "";
  let sinceSemicolon = [];
  for (const [part] of sql.matchAll(token)) {
    piece += part;
    if (/^(\s|--|\/\*)/.test(part)) continue;
    if (part !== ";") {
      if (head.length < 40) head += `${part.toUpperCase()} `;
      if (sinceSemicolon.length < 2) sinceSemicolon.push(part.toUpperCase());
      continue;
    }
    const trigger = /^(EXPLAIN )?CREATE (TEMP |TEMPORARY )?TRIGGER /.test(head);
    const ended = sinceSemicolon.length === 1 && sinceSemicolon[0] === "END";
    sinceSemicolon = [];
    if (trigger && !ended) continue;
    yield piece;
    piece = head = "";
  }
  if (head) yield piece;
}
