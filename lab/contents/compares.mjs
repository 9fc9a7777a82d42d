// Comparisons of refs, against git diff and git log.
import { bytesOf, get, git, lines } from "./world.mjs";
import { excess } from "./patches.mjs";

/** Refusals for a bound that is written down: of the walk, of the answer, and of what a sync of tips has (behaviour 15). */
const BOUND = /^422 .*(more than|no branch or tag ends there)/;
/** Limits of a comparison (behaviour 15.1). */
const MOST_FILES = 1000;
const MOST_CANDIDATES = 150;
const LONGEST_PATCH = 200 << 10;
const LONGEST_FILE = 512 << 10;
const MOST_TEXT = 5 << 20;
/** Of a hundred patches so many may match other lines than git's. */
const MOST_OTHERS = 10;
/** A patch with a tenth more lines than git's is counted. */
const MUCH = 0.1;

/** The commit where both met, or "". */
function baseOf(repository, from, to) {
  try {
    return lines(git(repository, "merge-base", from, to))[0] ?? "";
  } catch {
    return "";
  }
}

/** What `git diff --raw` lists, where a file that became a link or a submodule is one that went and one that came. */
function changesOf(repository, from, to, similarity) {
  const fields = bytesOf(repository, "diff", "--raw", "-z", "--no-abbrev", "--no-ext-diff", `-M${similarity}`, from, to)
    .toString()
    .split("\0");
  const changes = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const [oldMode, mode, oldId, id, status] = fields[at++].slice(1).split(" ");
    const [old_path, new_path] = status[0] === "R" ? [fields[at++], fields[at++]] : [fields[at], fields[at++]];
    const none = { mode: "0", id: "" };
    const [old, made] = [status === "A" ? none : { mode: oldMode, id: oldId }, status === "D" ? none : { mode, id }];
    if (status === "T") changes.push({ old_path, new_path, old, made: none }, { old_path, new_path, old: none, made });
    else changes.push({ old_path, new_path, old, made });
  }
  return changes;
}

/** The changes that the server promises: similar files are looked for among so many new and deleted ones. */
function promisedOf(repository, from, to) {
  const exact = changesOf(repository, from, to, "100%");
  const [gone, made] = [exact.filter(({ made }) => !made.id).length, exact.filter(({ old }) => !old.id).length];
  const isCut = gone > 0 && made > 0 && gone + made > MOST_CANDIDATES;
  const similarity = isCut ? "100%" : "50%";
  return { changes: isCut ? exact : changesOf(repository, from, to, similarity), similarity };
}

/** Each file's patch from its `---` line on, in the order of the list. */
function patchesOf(repository, from, to, similarity) {
  const text = bytesOf(
    repository,
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--full-index",
    `-M${similarity}`,
    from,
    to,
  ).toString();
  return text
    .split(/^diff --git /m)
    .slice(1)
    .map((file) => {
      const at = [file.indexOf("\n--- "), file.indexOf("\nBinary files ")].filter((at) => at >= 0);
      return at.length ? file.slice(Math.min(...at) + 1) : "";
    });
}

const line = (change) => JSON.stringify([change.old_path, change.new_path, change.old.mode, change.made.mode]);
const shown = (file) => JSON.stringify([file.old_path, file.new_path, file.a_mode, file.b_mode]);
const flags = ({ new_file, deleted_file, renamed_file }) => [new_file, deleted_file, renamed_file].join();
const length = (text) => Buffer.byteLength(text);

/** The first line that differs. */
function firstOther(patch, gits) {
  const [ours, theirs] = [patch.split("\n"), gits.split("\n")];
  const at = theirs.findIndex((line, at) => line !== ours[at]);
  return `line ${at + 1}, ${JSON.stringify(ours[at])}, is ${JSON.stringify(theirs[at])} there`;
}

export class Compares {
  example;
  refused = new Map();
  counts = {
    compared: 0,
    orders: 0,
    commits: 0,
    files: 0,
    renames: 0,
    patches: 0,
    others: 0,
    longer: 0,
    longest: 0,
    leftOut: 0,
    exact: 0,
    cut: 0,
    millis: 0,
    rows: 0,
  };
  /** What differs, with the number of requests and the first of them. */
  differences = new Map();
  #world;

  constructor(world) {
    this.#world = world;
  }

  #differs(request, text) {
    const known = this.differences.get(text) ?? { times: 0, request };
    this.differences.set(text, { ...known, times: known.times + 1 });
  }

  async one(from, to, straight, unidiff = true) {
    const { server, repository, root } = this.#world;
    const request = `compare?from=${encodeURIComponent(from.name)}&to=${encodeURIComponent(to.name)}&straight=${straight}&unidiff=${unidiff}`;
    const answer = await get(server, `${root}/${request}`);
    if (answer.status !== 200) {
      const why = answer.said();
      if (!BOUND.test(why)) this.#differs(request, why);
      this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
      return;
    }
    const found = answer.json();
    const { counts } = this;
    counts.compared++;
    counts.millis = Math.max(counts.millis, answer.millis);
    counts.rows = Math.max(counts.rows, answer.rows);
    const base = straight ? from.sha : baseOf(repository, from.sha, to.sha);
    const commits = lines(git(repository, "rev-list", "--reverse", `${from.sha}..${to.sha}`));
    counts.commits += commits.length;
    const ids = found.commits.map(({ id }) => id);
    if (ids.toSorted().join() !== commits.toSorted().join()) this.#differs(request, `${ids.length} commits, git log has ${commits.length}`);
    else if (ids.join() !== commits.join()) this.#order(request, ids, found.commits);
    if ((found.commit?.id ?? null) !== (commits.at(-1) ?? null))
      this.#differs(request, `commit is ${found.commit?.id}, not ${commits.at(-1)}`);
    if (found.compare_same_ref !== (from.sha === to.sha)) this.#differs(request, `compare_same_ref is ${found.compare_same_ref}`);
    if (!found.web_url.endsWith(`/-/compare/${base || from.sha}${straight ? ".." : "..."}${to.sha}`))
      this.#differs(request, `web_url is ${found.web_url}`);
    this.#files(request, base, to.sha, found, unidiff);
  }

  /** Commits of nearly the same time may come in another order than git's, but never before their parents. */
  #order(request, ids, commits) {
    this.counts.orders++;
    const places = new Map(ids.map((id, at) => [id, at]));
    const early = commits.find(({ id, parent_ids }) => parent_ids.some((parent) => places.get(parent) > places.get(id)));
    if (early) this.#differs(request, `${early.id} comes before its parent`);
  }

  #files(request, base, to, found, unidiff) {
    const { repository } = this.#world;
    const { counts } = this;
    const { changes, similarity } = base ? promisedOf(repository, base, to) : { changes: [], similarity: "50%" };
    const wanted = changes.slice(0, MOST_FILES);
    counts.exact += Number(similarity === "100%");
    counts.cut += Number(changes.length > MOST_FILES);
    counts.files += wanted.length;
    counts.renames += wanted.filter(({ old_path, new_path }) => old_path !== new_path).length;
    const differ = [];
    const theirs = new Set(found.diffs.map(shown));
    const ours = new Set(wanted.map(line));
    for (const change of ours) if (!theirs.has(change)) differ.push(`git has ${change}`);
    for (const file of theirs) if (!ours.has(file)) differ.push(`the server has ${file}`);
    if (differ.length) return this.#differs(request, `${differ.length} files: ${differ.slice(0, 6).join("; ")}`);
    if (found.diffs.map(shown).join() !== wanted.map(line).join()) return this.#differs(request, "files in another order");
    const patches = wanted.length ? patchesOf(repository, base, to, similarity) : [];
    if (patches.length !== changes.length) throw new Error(`${request}: git diff has ${patches.length} patches of ${changes.length} files`);
    let [text, isCut] = [0, changes.length > MOST_FILES || similarity === "100%"];
    for (const [at, file] of found.diffs.entries()) {
      const change = wanted[at];
      const is = { new_file: !change.old.id, deleted_file: !change.made.id, renamed_file: change.old_path !== change.new_path };
      if (flags(file) !== flags(is)) this.#differs(request, `${file.new_path}: new, deleted, renamed are ${flags(file)}, not ${flags(is)}`);
      isCut ||= file.too_large;
      if (file.too_large) this.#leftOut(request, file, change, patches[at], text);
      else this.#patch(request, file, change, patches[at], unidiff);
      // the server counts whole patches
      text += unidiff ? length(file.diff) : file.too_large ? 0 : length(patches[at]);
    }
    if (found.compare_timeout !== isCut) this.#differs(request, `compare_timeout is ${found.compare_timeout}`);
  }

  #leftOut(request, file, { old, made }, patch, before) {
    this.counts.leftOut++;
    const { repository } = this.#world;
    const long = (side) => side.id && !side.mode.startsWith("16") && Number(git(repository, "cat-file", "-s", side.id)) > LONGEST_FILE;
    // other lines than git's may make a patch a little longer
    const holds = length(patch) > LONGEST_PATCH * 0.9 || before > MOST_TEXT * 0.9 || long(old) || long(made);
    if (!holds || file.diff) this.#differs(request, `${file.new_path}: left out, git's patch has ${length(patch)} bytes`);
  }

  #patch(request, file, change, patch, unidiff) {
    this.counts.patches++;
    const wanted = unidiff ? patch : patch.slice(Math.max(patch.search(/^@@/m), 0));
    if (file.diff === wanted) return;
    if (length(file.diff) > LONGEST_PATCH)
      return this.#differs(request, `${file.new_path}: a patch of ${length(file.diff)} bytes is not left out`);
    const bytes = ({ id }) => (id ? bytesOf(this.#world.repository, "cat-file", "blob", id).toString() : "");
    const plain = (text) => text.replace(/^(@@ [^@]* @@).*$/gm, "$1");
    if (plain(file.diff) === plain(wanted))
      return this.#differs(request, `${file.new_path}: other headings: ${firstOther(file.diff, wanted)}`);
    this.counts.others++;
    this.example ??= `${request}, ${file.new_path}: ${firstOther(file.diff, wanted)}`;
    if (!unidiff) return;
    const more = excess(file.diff, patch, bytes(change.old), bytes(change.made));
    if (more > MUCH) this.counts.longer++;
    this.counts.longest = Math.max(this.counts.longest, more ?? 0);
    if (more === null)
      this.#differs(
        request,
        `${file.new_path}: another patch: ${JSON.stringify(file.diff.slice(0, 300))} is not ${JSON.stringify(wanted.slice(0, 300))}`,
      );
  }

  /** Prints what was found. */
  end(words) {
    const { findings } = this.#world;
    const { counts } = this;
    const refused = [...this.refused.values()].reduce((sum, times) => sum + times, 0);
    const sum = [...this.differences.values()].reduce((sum, { times }) => sum + times, 0);
    findings.check(!sum, `${words}: ${counts.compared} as git diff and git log have them, ${refused} refused, ${sum} differences`);
    for (const [text, { times, request }] of [...this.differences].slice(0, 20))
      console.log(`       ${times} times, first ${request}: ${text}`);
    for (const [why, times] of this.refused) console.log(`       refused ${times} times: ${why}`);
    findings.check(
      counts.others * 100 <= counts.patches * MOST_OTHERS,
      `${counts.patches} patches, of which ${counts.others} match other lines than git's and lead to the same file; ${counts.longer} have over a tenth more lines than git's, at most ${(counts.longest * 100).toFixed(0)} % more`,
    );
    if (this.example) console.log(`       for example ${this.example}`);
    console.log(
      `       ${counts.commits} commits, in ${counts.orders} comparisons in another order than git's; ${counts.files} files, ${counts.renames} renames; ${counts.leftOut} patches left out for their length; in ${counts.exact} more than ${MOST_CANDIDATES} new and deleted files, so that similar ones are not looked for; ${counts.cut} of more than ${MOST_FILES} files; at most ${counts.rows} rows and ${counts.millis} ms of D1`,
    );
  }
}
