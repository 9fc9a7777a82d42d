// What the tests put into a page, for `tsc` alone.
/** What ran although it should not: browser.mjs. */
declare var ran: string[];
declare var axe: typeof import("axe-core");
