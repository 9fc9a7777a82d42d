// Texts of a number of bytes as JSON, by the project that has them. A control character takes six of them. The crab makes
// each character two bytes of JavaScript.
export const texts = {
  long: (bytes) => "x".repeat(bytes),
  escaped: (bytes) => `\u{1F980}${"\u0001".repeat(Math.floor((bytes - 10) / 6))}`,
};
