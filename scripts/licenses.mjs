// Converts the license texts of the npm package choosealicense-list to the Worker's KV entries. As a file, for deploys and
// releases:
//
//   node scripts/licenses.mjs build/licenses.json
//
// Entry `licenses/<key>` is one template, for every license of the package. Entry `licenses` is the list of GET
// /licenses, sorted by key. For a template of your own add one more `licenses/<key>` entry.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const source = createRequire(import.meta.url).resolve("choosealicense-list/licenses.json");
const texts = JSON.parse(readFileSync(source, "utf8"));

/** What the entries are made of. */
export const sources = [import.meta.filename, source];

/** The listed ones, and the address of each text. */
const listed = {
  "agpl-3.0": "http://www.gnu.org/licenses/agpl-3.0.txt",
  "apache-2.0": "http://www.apache.org/licenses/LICENSE-2.0.html",
  "artistic-2.0": "http://www.perlfoundation.org/attachment/legal/artistic-2_0.txt",
  "bsd-2-clause": "http://opensource.org/licenses/BSD-2-Clause",
  "bsd-3-clause": "http://opensource.org/licenses/BSD-3-Clause",
  "cc0-1.0": "http://creativecommons.org/publicdomain/zero/1.0/",
  "epl-1.0": "http://www.eclipse.org/legal/epl-v10.html",
  "gpl-2.0": "http://www.gnu.org/licenses/gpl-2.0.txt",
  "gpl-3.0": "http://www.gnu.org/licenses/gpl-3.0.txt",
  isc: "http://opensource.org/licenses/isc-license",
  "lgpl-2.1": "http://www.gnu.org/licenses/lgpl-2.1.txt",
  "lgpl-3.0": "http://www.gnu.org/licenses/lgpl-3.0.txt",
  mit: "https://opensource.org/licenses/MIT",
  "mpl-2.0": "https://www.mozilla.org/media/MPL/2.0/index.txt",
  unlicense: "http://unlicense.org/UNLICENSE",
};

const templates = Object.entries(texts)
  .map(([id, text]) => {
    const key = id.toLowerCase();
    return {
      key,
      name: text.title,
      nickname: text.nickname ?? null,
      featured: text.featured === true,
      html_url: `http://choosealicense.com/licenses/${key}/`,
      source_url: listed[key] ?? `https://spdx.org/licenses/${id}.html`,
      description: text.description,
      conditions: text.conditions,
      permissions: text.permissions,
      limitations: text.limitations,
      // keep the blanks that centre a title
      content: text.body.replace(/^\n+/, ""),
    };
  })
  .sort((a, b) => (a.key < b.key ? -1 : 1));

const list = templates.filter(({ key }) => key in listed);
if (list.length !== Object.keys(listed).length) throw new Error("a listed license is missing in choosealicense-list: update `listed`");

export const entries = [
  { key: "licenses", value: JSON.stringify(list) },
  ...templates.map((template) => ({ key: `licenses/${template.key}`, value: JSON.stringify(template) })),
];

if (process.argv[1] === import.meta.filename) {
  const file = process.argv[2];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(entries));
}
