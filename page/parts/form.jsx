// Forms of a few fields.
import { useId, useState } from "preact/hooks";
import { saveOver } from "./change.mjs";
import { Buttons, TextField, useDraft, useSending } from "./draft.jsx";
import { Problem, Theirs } from "./feedback.jsx";
import { focusFirst, useEditor } from "./opening.mjs";
import { Suggesting } from "./suggesting.jsx";

const isSame = (one, other) => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

function Input({ field, value, change, id }) {
  const { name, type = "text", required, hint, options, suggestions, most, pattern, make } = field;
  const about = {
    id,
    name,
    required,
    maxLength: most,
    pattern,
    title: pattern && hint,
    "aria-describedby": hint ? `${id}-hint` : undefined,
  };
  if (type === "select") {
    return (
      <select
        {...about}
        value={String(value ?? "")}
        onChange={(event) => change(options.find(([one]) => String(one) === event.currentTarget.value)[0])}
      >
        {options.map(([one, words]) => (
          <option key={one} value={String(one)} selected={isSame(one, value)}>
            {words}
          </option>
        ))}
      </select>
    );
  }
  if (suggestions !== undefined) return <Suggesting about={about} suggestions={suggestions} value={value ?? ""} change={change} />;
  return (
    <>
      <input
        {...about}
        dir="auto"
        type={type}
        value={value ?? ""}
        autocomplete="off"
        onInput={(event) => change(event.currentTarget.value)}
      />
      {make && (
        <button type="button" class="small made" onClick={() => change(make())}>
          Make one<span class="unseen"> for {field.label}</span>
        </button>
      )}
    </>
  );
}

function Field({ field, value, change, project }) {
  const id = useId();
  const { label, type, hint, options } = field;
  const small = hint && <small id={`${id}-hint`}>{hint}</small>;
  if (type === "markdown") return <TextField label={label} value={value ?? ""} onInput={change} project={project} rows={4} />;
  if (type === "check") {
    return (
      <div class="field">
        <label class="check">
          <input type="checkbox" checked={Boolean(value)} onChange={(event) => change(event.currentTarget.checked)} />
          {label}
        </label>
        {small}
      </div>
    );
  }
  // several of the options, or of `one` exactly one, which may be two values with a comma
  if (type === "checks" || type === "one") {
    const chosen = value ?? [];
    const turn = (option, isOn) =>
      type === "one" ? option.split(",") : isOn ? [...chosen, option] : chosen.filter((other) => other !== option);
    return (
      <fieldset class="field">
        <legend>{label}</legend>
        {options.map(([one, words]) => (
          <label class="check" key={one}>
            <input
              type={type === "one" ? "radio" : "checkbox"}
              name={id}
              required={type === "one"}
              checked={type === "one" ? chosen.join() === one : chosen.includes(one)}
              onChange={(event) => change(turn(one, event.currentTarget.checked))}
            />
            {words}
          </label>
        ))}
        {small}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Input field={field} value={value} change={change} id={id} />
      {small}
    </div>
  );
}

/**
 * `fields`: `{ name, label, type, required, hint, options, make }`; `make()` returns a value for a button that fills it in. `save(values, key, record)` gets the fields that differ from `value`;
 * with `whole` all that have a value. What was typed is a draft under the name `draft`. `current()` reads the record again
 * before it is saved: where another person changed the same field, both texts are shown instead. `save` sends the time or tag of
 * that record, so that no change is lost that comes between. `opened`: the user asked for the form, so its first field takes the
 * focus; settings, which are there anyway, leave it.
 * @param {{ fields: any[], value?: any, draft: string, button: string, save: (values: any, key: string, record?: any) => Promise<unknown>, whole?: boolean, onCancel?: () => void, onInput?: (name: string, value: any) => void, project?: string, current?: () => Promise<any>, opened?: boolean }} props
 */
export function Form({
  fields,
  value: first = {},
  draft,
  button,
  save,
  whole,
  onCancel,
  onInput,
  project,
  current,
  opened = Boolean(onCancel),
}) {
  const [text, setText, forget] = useDraft(draft, "{}");
  const { busy, error, send } = useSending();
  const [shown, setShown] = useState(/** @type {any} */ (null));
  const [clash, setClash] = useState(/** @type {any} */ (null));
  // `was`: the saved values that the draft was made from. After a clash: those that both texts were shown with
  const { was = {}, ...given } = JSON.parse(text);
  const value = shown ?? { ...first, ...was };
  const now = { ...value, ...given };
  const change = (name, next) => {
    setText(JSON.stringify({ ...given, [name]: next, was: { ...was, [name]: value[name] } }));
    onInput?.(name, next);
  };
  const changed = fields.filter(({ name }) => (whole ? !isSame(now[name], "") : name in given && !isSame(given[name], value[name])));
  async function submit(event) {
    event.preventDefault();
    const values = Object.fromEntries(changed.map(({ name }) => [name, now[name]]));
    const clashes = (record) => {
      const both = record ? changed.filter(({ name }) => !isSame(record[name], value[name]) && !isSame(record[name], now[name])) : [];
      if (!both.length) return false;
      setShown(record);
      setClash(both.map(({ name, label }) => ({ name, label, theirs: record[name] })));
      return true;
    };
    const done = await send(values, (key) =>
      saveOver(
        async () => current?.(),
        clashes,
        async (record) => {
          await save(values, key, record);
          return true;
        },
      ),
    );
    if (!done) return;
    forget();
    setText("{}");
    onCancel?.();
  }
  const cancel = () => {
    forget();
    onCancel?.();
  };
  return (
    <form
      class="card form"
      onSubmit={submit}
      ref={opened ? focusFirst : undefined}
      data-idle={opened || text !== "{}" ? undefined : ""}
      data-changed={Object.keys(given).some((name) => !isSame(given[name], value[name])) || undefined}
    >
      {clash && <Theirs clash={clash.map((one) => ({ ...one, take: () => change(one.name, one.theirs) }))} />}
      {fields.map((field) => (
        <Field key={field.name} field={field} value={now[field.name]} change={(next) => change(field.name, next)} project={project} />
      ))}
      {error && <Problem error={error} />}
      <Buttons button={button} sending="Saving …" busy={busy} disabled={!changed.length} cancel={onCancel && cancel} />
    </form>
  );
}

/**
 * A button that opens `children(close)`. `open`: whether it is open at first.
 * @param {{ button: any, children: (close: () => void) => any, primary?: boolean, open?: boolean }} props
 */
export function Opens({ button, children, primary, open: first = false }) {
  const [open, setOpen, close, ref] = useEditor(first || null);
  if (open) return children(close);
  return (
    <p class="actions">
      <button class={primary ? "primary" : undefined} ref={ref} onClick={() => setOpen(true)}>
        {button}
      </button>
    </p>
  );
}
