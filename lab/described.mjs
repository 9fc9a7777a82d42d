// What experiments read in the descriptions of the APIs.

/** An operation's parameters. Shared ones are written once in the description. */
export const parametersOf = (document, described) =>
  (described.parameters ?? []).map((one) => (one.$ref ? document.components.parameters[one.$ref.split("/").at(-1)] : one));

/** The words that a parameter takes, undefined if the description does not list them. */
export const wordsOf = (schema) => (schema.type === "boolean" ? ["true", "false"] : (schema.enum ?? schema.items?.enum));
