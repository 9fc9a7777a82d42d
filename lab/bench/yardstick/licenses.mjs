// GET /licenses: from KV. An instance of the Worker reads KV again after half a minute.

const AGE = 30_000;
let since = -Infinity;
let all;
let popular;

export async function listLicenses(call) {
  if (call.now - since > AGE) {
    const stored = await call.env.TEMPLATES.get("licenses", { type: "json", cacheTtl: 60 });
    const licenses = stored.map((license) => ({ ...license, popular: license.featured }));
    all = JSON.stringify(licenses);
    popular = JSON.stringify(licenses.filter(({ featured }) => featured));
    since = call.now;
  }
  return { text: call.params.flag("popular") ? popular : all };
}
