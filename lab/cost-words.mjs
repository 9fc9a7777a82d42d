// What the tables of lists share: values of parameters, and how much of everything the worlds of lab/world hold.

/** A parameter that is left out, or one of these. */
export const any = (...values) => [undefined, ...values];

/** Of how much there is a tenth of the issues, and of how much a hundredth. */
export const long = (issues) => Math.max(300, issues / 10);
export const wide = (issues) => Math.max(300, issues / 100);

/** The key in the middle of a list in order of ids from 1 on. */
export const half = (of) => (issues) => [Math.floor(of(issues) / 2)];
