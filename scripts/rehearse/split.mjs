// Two ways to tell where a statement of SQL ends.

/**
 * As narrow as the worst reports of D1's query API: every semicolon outside quotes ends a statement. It knows no
 * trigger and no comment, so a trigger falls apart, and an apostrophe in a comment opens a text.
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

/** As `sqlite3_complete` does: a trigger ends with the END that follows a semicolon; comments and quotes count for nothing. */
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
