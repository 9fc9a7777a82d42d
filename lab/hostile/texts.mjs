// Texts of a number of bytes as JSON, by the project that has them. A control character takes six of them. The crab makes
// each character two bytes of JavaScript. The newest issues of all projects are those of `long`: lists that begin with the
// others are slow to read here.
export const texts = {
  escaped: (bytes) => `\u{1F980}${"\u0001".repeat(Math.floor((bytes - 10) / 6))}`,
  long: (bytes) => "x".repeat(bytes),
};
