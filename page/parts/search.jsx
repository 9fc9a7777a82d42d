import { goTo } from "../navigate.mjs";
import { withQuery } from "../route.mjs";

/**
 * A search of this page's list, in its address. `filter`: the parameters of the address.
 * @param {{ label: string, filter: Record<string, string>, children?: any }} props
 */
export function Search({ label, filter, children }) {
  const find = (event) => {
    event.preventDefault();
    goTo(withQuery(location.pathname, { ...filter, ...Object.fromEntries(new FormData(event.currentTarget)) }));
  };
  return (
    <form class="filters" role="search" onSubmit={find}>
      <label>
        <span class="unseen">{label}</span>
        <input type="search" name="search" maxLength={255} placeholder={label} defaultValue={filter.search ?? ""} key={filter.search} />
      </label>
      {children}
      <button>Find</button>
    </form>
  );
}

/** Links to the values of one parameter: `choices` are `[value, words]`, and the first is the default. */
export const Choice = ({ label, name, choices, filter }) => (
  <nav class="tabs small" aria-label={label}>
    {choices.map(([value, words], at) => (
      <a
        key={value}
        href={withQuery(location.pathname, { ...filter, [name]: at ? value : undefined })}
        aria-current={(filter[name] ?? choices[0][0]) === value ? "true" : undefined}
      >
        {words}
      </a>
    ))}
  </nav>
);
