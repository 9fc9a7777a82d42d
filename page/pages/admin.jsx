// The form for `/admin` is generated from the descriptions in openapi/v4/server.mjs.
import described from "settings-description";
import { useState } from "preact/hooks";
import { ask, get, useApi } from "../api.mjs";
import { saveOver } from "../parts/change.mjs";
import { useSending } from "../parts/draft.jsx";
import { Answer, Empty, ForMembers, Heading, Problem, Theirs } from "../parts/feedback.jsx";
import { EFFECTIVE } from "../parts/settings.mjs";
import { toast } from "../parts/toast.jsx";

export const AdminTabs = ({ current }) => (
  <nav class="tabs" aria-label="Administration">
    <a href="/admin" aria-current={current === "settings" ? "page" : undefined}>
      Settings
    </a>
    <a href="/admin/users" aria-current={current === "users" ? "page" : undefined}>
      Users
    </a>
    <a href="/admin/audit" aria-current={current === "audit" ? "page" : undefined}>
      Acts
    </a>
  </nav>
);

export function AdminPage({ session }) {
  return (
    <>
      <AdminTabs current="settings" />
      <Heading title="Server settings">Server settings</Heading>
      <ForMembers what="the settings" />
      {session?.id && (session.user.is_admin ? <Settings /> : <Forbidden />)}
    </>
  );
}

const PATH = "/application/settings";

const Forbidden = () => <Empty title="Only administrators can see and change the settings." />;

function Settings() {
  const answer = useApi(PATH);
  if (answer.error?.status === 403) return <Forbidden />;
  return <Answer of={answer}>{(settings) => <Form settings={settings} set={answer.set} />}</Answer>;
}

/** The name of the field for which this one is another name. */
const original = (field) => /^Another name of `(\w+)`/.exec(field.description ?? "")?.[1] ?? "";

/** Parses descriptions of numbers such as "0 none, 1 partial, 2 full." */
const numbered = ({ description = "" }) =>
  new Map([...description.matchAll(/(\d+) (\w+)/g)].map(([, number, word]) => [Number(number), word]));

/** The description without the parts about how programs may write values. */
function hintOf(field) {
  const source = described[original(field)] ?? field;
  if (field.enum && numbered(source).size) return "";
  return source.description
    ?.replace(/^A word, or its number.*/, "")
    .replaceAll("`", "")
    .replace(/\s*\b(nil|null): \w+\.$/i, "")
    .replace(/\w+_\w+/g, titled);
}

/** The fields in the API's answer. If a field has two names, only one is shown. */
function fieldsOf(settings) {
  const older = { domain_whitelist: "domain_allowlist", domain_blacklist: "domain_denylist" };
  return Object.entries(described).filter(
    ([name, field]) => name in settings && !(original(field) in settings) && !(older[name] in settings),
  );
}

function sectionsOf(fields) {
  const known = Object.values(EFFECTIVE).flat();
  const sections = Object.entries(EFFECTIVE).map(([title, names]) => [title, "", fields.filter(([name]) => names.includes(name))]);
  return [
    ...sections,
    [
      "Only stored",
      "These have no effect on this server. They are kept for clients that set them.",
      fields.filter(([name]) => !known.includes(name)),
    ],
  ];
}

const typeOf = (field) => [field.type].flat()[0];
const WORDS = {
  url: "address",
  signup: "sign-up",
  signin: "sign-in",
  oauth: "OAuth",
  max: "largest",
  blacklist: "denylist",
  whitelist: "allowlist",
};
const titled = (name) => {
  const words = name
    .split("_")
    .map((word) => WORDS[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function Form({ settings, set }) {
  const [changes, setChanges] = useState({});
  const [clash, setClash] = useState(/** @type {any} */ (null));
  const { busy, error, send } = useSending();
  const change = (name, value) => {
    setChanges((before) => ({ ...before, [name]: value }));
  };
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const changed = Object.keys(changes).filter((name) => !isSame(changes[name], settings[name]));
  const clashes = (record) => {
    const both = changed.filter((name) => !isSame(record[name], settings[name]) && !isSame(record[name], changes[name]));
    if (!both.length) return false;
    set(record);
    setClash(both.map((name) => ({ name, label: titled(name), theirs: record[name] })));
    return true;
  };
  async function submit(event) {
    event.preventDefault();
    const body = Object.fromEntries(changed.map((name) => [name, changes[name]]));
    const current = () => get(PATH).then(({ data }) => data);
    const answer = await send(body, () => saveOver(current, clashes, ({ updated_at }) => ask("PUT", PATH, { body, since: updated_at })));
    if (!answer) return;
    set(answer.data);
    setChanges({});
    setClash(null);
    toast("Saved.");
  }
  return (
    <form class="settings" onSubmit={submit} data-idle={changed.length ? undefined : ""}>
      {clash && <Theirs clash={clash.map((one) => ({ ...one, take: () => change(one.name, one.theirs) }))} />}
      <p class="quiet">Changes apply from the next request.</p>
      {sectionsOf(fieldsOf(settings)).map(([title, note, fields]) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {note && <p class="quiet">{note}</p>}
          {fields.map(([name, field]) => (
            <Setting
              key={name}
              name={name}
              field={field}
              value={name in changes ? changes[name] : settings[name]}
              change={(value) => change(name, value)}
            />
          ))}
        </section>
      ))}
      {error && <Problem error={error} />}
      <div class={changed.length ? "save waiting" : "save"}>
        <button class="primary" disabled={busy || !changed.length}>
          {busy ? "Saving …" : changed.length ? `Save ${changed.length} ${changed.length === 1 ? "change" : "changes"}` : "Nothing to save"}
        </button>
      </div>
    </form>
  );
}

function Setting({ name, field, value, change }) {
  const id = `setting-${name}`;
  const text = hintOf(field);
  const hint = text && <small id={`${id}-hint`}>{text}</small>;
  const about = { id, "aria-describedby": text ? `${id}-hint` : undefined };
  if (typeOf(field) === "boolean") {
    return (
      <div class="setting">
        <label class="check" for={id}>
          <input type="checkbox" {...about} checked={value === true} onChange={(event) => change(event.currentTarget.checked)} />
          {titled(name)}
        </label>
        {hint}
      </div>
    );
  }
  if (typeOf(field) === "array")
    return <ListSetting name={name} field={field} value={value ?? []} change={change} hint={hint} about={about} />;
  return (
    <div class="setting">
      <label for={id}>{titled(name)}</label>
      <Entry field={field} value={value} change={change} about={about} />
      {hint}
    </div>
  );
}

function Entry({ field, value, change, about }) {
  const words = field.enum?.filter((word) => word !== "nil");
  if (words?.length) {
    const isNumber = typeof words[0] === "number";
    return (
      <select
        {...about}
        value={String(value ?? "")}
        onChange={(event) =>
          change(event.currentTarget.value === "" ? "nil" : isNumber ? Number(event.currentTarget.value) : event.currentTarget.value)
        }
      >
        {field.enum.includes("nil") && <option value="">both</option>}
        {words.map((word) => (
          <option key={word} value={String(word)} selected={word === value}>
            {isNumber ? (numbered(field).get(word) ?? word) : word}
          </option>
        ))}
      </select>
    );
  }
  if (typeOf(field) === "integer") {
    return (
      <input
        {...about}
        type="number"
        min={field.minimum}
        value={value}
        required
        onInput={(event) => event.currentTarget.value !== "" && change(Number(event.currentTarget.value))}
      />
    );
  }
  if (field.maxLength > 10_000)
    return <textarea {...about} rows={3} value={value ?? ""} onInput={(event) => change(event.currentTarget.value)} />;
  return <input {...about} value={value ?? ""} onInput={(event) => change(event.currentTarget.value)} />;
}

/** A list of known words becomes checkboxes. Any other list has one word a line. */
function ListSetting({ name, field, value, change, hint, about }) {
  const words = field.items.enum;
  if (!words) {
    return (
      <div class="setting">
        <label for={about.id}>{titled(name)}, one a line</label>
        <textarea
          {...about}
          rows={3}
          value={value.join("\n")}
          onInput={(event) => change(event.currentTarget.value.split("\n").filter((line, at, all) => line.trim() || at === all.length - 1))}
        />
        {hint}
      </div>
    );
  }
  const turn = (word, on) => change(on ? [...value, word] : value.filter((one) => one !== word));
  return (
    <fieldset class="setting">
      <legend>{titled(name)}</legend>
      {words.map((word) => (
        <label class="check" key={word}>
          <input type="checkbox" checked={value.includes(word)} onChange={(event) => turn(word, event.currentTarget.checked)} />
          {word}
        </label>
      ))}
      {hint}
    </fieldset>
  );
}
