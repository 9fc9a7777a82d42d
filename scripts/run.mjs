// Runs a command of a release: node scripts/run.mjs NAME .. An older Node.js could not even load the others, which use
// what it lacks, and their errors do not name the reason.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(`error: Node.js ${process.versions.node} is too old: install 22.12 or later from https://nodejs.org`);
  process.exit(1);
}
const [name] = process.argv.splice(2, 1);
await import(`./${name}.mjs`);
