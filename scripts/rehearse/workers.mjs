// Workers: uploads, versions, deployments, secrets and the address on workers.dev.
import { randomUUID } from "node:crypto";
import { Refusal } from "./api.mjs";
import { shownBinding, shownVersion, versionOf } from "./versions.mjs";

const subdomain = "rehearsal";

export function workerRoutes(account, host, assets, print) {
  const scripts = "/accounts/:account/workers/scripts/:name";

  function find({ path }, code = 10007) {
    const found = account.scripts[path.name];
    if (!found) throw new Refusal(404, code, "This Worker does not exist on your account.");
    return found;
  }

  function versionIn(script, id) {
    const found = script.versions.find((version) => version.id === id);
    if (!found) throw new Refusal(404, 10007, `The version ${id} does not exist`);
    return found;
  }

  /** Serves a version. If it does not start, the earlier one stays in service. */
  async function deploy(script, version, annotations = {}) {
    try {
      await host.serve(account.resources, version);
    } catch (error) {
      await account.changed();
      throw new Refusal(400, 10021, `Uncaught ${error.message}`);
    }
    if (!script.versions.includes(version)) script.versions.push(version);
    const deployment = {
      id: randomUUID(),
      source: "wrangler",
      strategy: "percentage",
      author_email: "operator@rehearsal.example",
      created_on: new Date().toISOString(),
      annotations,
      versions: [{ version_id: version.id, percentage: 100 }],
    };
    script.deployments.unshift(deployment);
    account.save();
    return deployment;
  }

  async function read({ path, form }) {
    return await versionOf(await form(), { account, assets, name: path.name, script: account.scripts[path.name], print });
  }

  async function upload(call) {
    const version = await read(call);
    const now = new Date().toISOString();
    const script = account.scripts[call.path.name] ?? {
      name: call.path.name,
      tag: randomUUID().replaceAll("-", ""),
      created_on: now,
      versions: [],
      deployments: [],
      settings: {},
      subdomain: { enabled: false, previews_enabled: false },
    };
    await deploy(script, version, version.annotations);
    script.settings.observability = version.observability;
    account.scripts[script.name] = script;
    account.save();
    return {
      id: script.name,
      tag: script.tag,
      etag: version.id.replaceAll("-", ""),
      deployment_id: version.id.replaceAll("-", ""),
      startup_time_ms: 1,
      created_on: script.created_on,
      modified_on: now,
    };
  }

  async function addVersion(call) {
    const script = find(call);
    const version = await read(call);
    script.versions.push(version);
    account.save();
    return shownVersion(version);
  }

  async function deployVersion(call) {
    const script = find(call);
    const { versions, annotations } = call.json();
    if (versions.length !== 1 || versions[0].percentage !== 100) throw new Refusal(400, 10099, "only whole deployments are rehearsed");
    const version = versionIn(script, versions[0].version_id);
    const changed = changedSecrets(versionIn(script, script.deployments[0].versions[0].version_id), version);
    if (changed.length && !call.query.has("force"))
      throw new Refusal(400, 10220, `The following secrets have changed: ${changed.join(", ")}`);
    return await deploy(script, version, annotations);
  }

  /** The secrets whose values differ in an older version. */
  function changedSecrets(now, then) {
    if (then.number > now.number) return [];
    const of = ({ bindings }) => new Map(bindings.filter(({ type }) => type === "secret_text").map(({ name, text }) => [name, text]));
    const before = of(then);
    return [...of(now)].filter(([name, text]) => before.get(name) !== text).map(([name]) => name);
  }

  /** A secret makes a new version, which is deployed at once. */
  async function setSecret(call, change) {
    const script = find(call);
    const before = versionIn(script, script.deployments[0].versions[0].version_id);
    const bindings = change(before.bindings);
    const version = {
      ...before,
      id: randomUUID(),
      number: script.versions.at(-1).number + 1,
      created_on: new Date().toISOString(),
      bindings,
      annotations: { "workers/triggered_by": "secret" },
    };
    await deploy(script, version, version.annotations);
  }

  const secretsOf = (call) =>
    versionIn(find(call), find(call).deployments[0].versions[0].version_id)
      .bindings.filter(({ type }) => type === "secret_text")
      .map(shownBinding);

  async function putSecret(call) {
    const { name, text } = call.json();
    await setSecret(call, (bindings) => [...bindings.filter((binding) => binding.name !== name), { name, type: "secret_text", text }]);
    return { name, type: "secret_text" };
  }

  const settingsOf = (script) => {
    const version = script.versions.at(-1);
    return {
      bindings: version.bindings.map(shownBinding),
      ...version.metadata,
      ...script.settings,
      usage_model: "standard",
      logpush: false,
    };
  };

  function changeSettings(call) {
    const script = find(call);
    Object.assign(script.settings, call.json());
    account.save();
    return script.settings;
  }

  const addressOf = ({ name, subdomain: { enabled, previews_enabled } }) => ({
    enabled,
    previews_enabled,
    ...(enabled && { url: `https://${name}.${subdomain}.workers.dev` }),
  });

  function setSubdomain(call) {
    const script = find(call);
    const { enabled, previews_enabled } = call.json();
    script.subdomain = { enabled, previews_enabled: previews_enabled ?? script.subdomain.previews_enabled };
    account.save();
    return script.subdomain;
  }

  /** The Cron triggers, [{ cron }]. */
  function setSchedules(call) {
    const script = find(call);
    const now = new Date().toISOString();
    script.schedules = call.json().map(({ cron }) => ({ cron, created_on: now, modified_on: now }));
    account.save();
    return { schedules: script.schedules };
  }

  return {
    "GET /accounts/:account/workers/subdomain": () => ({ subdomain }),
    "GET /accounts/:account/workers/scripts": () => Object.values(account.scripts).map(({ name, tag }) => ({ id: name, tag })),
    "GET /accounts/:account/workers/services/:name": (call) => {
      const { name, tag, settings } = find(call, 10090);
      return {
        id: name,
        default_environment: {
          environment: "production",
          script: { id: name, tag, tags: settings.tags ?? [], last_deployed_from: "wrangler" },
        },
      };
    },
    "GET /accounts/:account/workers/workers/:name": (call) => {
      const script = find(call);
      return { id: script.tag, name: script.name, subdomain: addressOf(script) };
    },
    [`PUT ${scripts}`]: upload,
    [`GET ${scripts}/settings`]: (call) => settingsOf(find(call)),
    [`GET ${scripts}/script-settings`]: (call) => find(call).settings,
    [`PATCH ${scripts}/script-settings`]: changeSettings,
    [`GET ${scripts}/subdomain`]: (call) => find(call).subdomain,
    [`POST ${scripts}/subdomain`]: setSubdomain,
    [`GET ${scripts}/schedules`]: (call) => ({ schedules: find(call).schedules ?? [] }),
    [`PUT ${scripts}/schedules`]: setSchedules,
    [`GET ${scripts}/secrets`]: secretsOf,
    [`PUT ${scripts}/secrets`]: putSecret,
    [`DELETE ${scripts}/secrets/:secret`]: (call) =>
      setSecret(call, (bindings) => bindings.filter(({ name }) => name !== call.path.secret)),
    [`GET ${scripts}/versions`]: (call) => ({ items: find(call).versions.slice(-10).reverse().map(shownVersion) }),
    [`POST ${scripts}/versions`]: addVersion,
    [`GET ${scripts}/versions/:version`]: (call) => shownVersion(versionIn(find(call), call.path.version)),
    [`GET ${scripts}/deployments`]: (call) => ({ deployments: find(call).deployments }),
    [`POST ${scripts}/deployments`]: deployVersion,
  };
}
