// Shared by the tables of lists: values of parameters, and the sizes of the worlds of lab/world.

/** A parameter that is absent, or one of these. */
export const any = (...values) => [undefined, ...values];

/** The records with a tenth as many as issues, and those with a hundredth. */
export const long = (issues) => Math.max(300, issues / 10);
export const wide = (issues) => Math.max(300, issues / 100);

/** The key in the middle of a list ordered by ids from 1. */
export const half = (of) => (issues) => [Math.floor(of(issues) / 2)];
