// Tags of the demo world, which no repository has, and releases of them.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";

const git = (folder, ...args) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=Ann Owner", "-c", "user.email=ann@example.com", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });

/**
 * How many commits before the newest one each tag is, and its message.
 * @type {Record<string, [number, string | null]>}
 */
const TAGS = {
  "v0.1.0": [20, "The first one that was shown"],
  "v0.2.0": [14, null],
  "v0.3.0-rc.1": [8, null],
  "v0.3.0": [4, "With files and comparisons"],
};

/** Makes a bare clone of this repository with the tags, or returns this one if that fails. */
export function tagged(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
    execFileSync("git", ["clone", "--quiet", "--bare", "--shared", ".", folder], { stdio: "ignore" });
    // a checkout of a commit is on no branch, and then the project would have no default branch
    if (git(folder, "rev-parse", "--abbrev-ref", "HEAD").trim() === "HEAD") {
      git(folder, "branch", "--force", "main", "HEAD");
      git(folder, "symbolic-ref", "HEAD", "refs/heads/main");
    }
    const commits = git(folder, "rev-list", "--first-parent", "--max-count=100", "HEAD").trim().split("\n");
    const own = git(folder, "tag").split("\n");
    for (const [name, [at, message]] of Object.entries(TAGS)) {
      if (!commits[at] || own.includes(name)) continue;
      git(folder, "tag", ...(message ? ["-a", "-m", message] : []), name, commits[at]);
    }
    return folder;
  } catch {
    return ".";
  }
}

const NOTES = `Issues, commits and builds of a repository, behind the API that its clients speak.

- **Lists** answer in one round trip
- Builds that are posted twice are one build, see #2

> Nothing that is deployed today has to be changed.`;

const MORE = `### What is new

| area | change |
|---|---|
| mirror | files of branches and tags |
| pages | files, \`Markdown\` and comparisons |

### Before you upgrade

1. Read the [notes on backups](https://example.com/backups).
2. Install the hook anew:

\`\`\`sh
edgeforge-mirror install --repository /srv/git/site.git
\`\`\`

Thanks to @bob and @rae.`;

const soon = () => new Date(Date.now() + 20 * 86_400_000).toISOString();
const RELEASES = [
  {
    tag_name: "v0.1.0",
    name: "First light",
    description: NOTES,
    released_at: "2026-09-01T09:00:00Z",
    assets: { links: [{ name: "How to move over", url: "https://example.com/runbook", link_type: "runbook" }] },
  },
  {
    tag_name: "v0.2.0",
    name: "Files and builds",
    description: MORE,
    milestones: ["Spring release"],
    assets: {
      links: [
        {
          name: "edgeforge-mirror, x86-64",
          url: "https://downloads.example.com/edgeforge-mirror-0.2.0.tar.gz",
          link_type: "package",
          direct_asset_path: "/bin/edgeforge-mirror",
        },
        { name: "Container", url: "https://registry.example.com/edgeforge/mirror", link_type: "image" },
      ],
    },
  },
  { tag_name: "v0.3.0", description: "What is planned for the next one.", released_at: soon() },
];

/** `call`: as in demo.mjs, which takes whole paths, too. */
export async function release({ call, people, project }) {
  const path = `/api/v4${project}/releases`;
  const { data: known } = await call(people.bob.token, "GET", path);
  if (known.length) return;
  // 422: nothing was indexed
  for (const one of RELEASES) await call(people.bob.token, "POST", path, one, [201, 409, 422]);
}
