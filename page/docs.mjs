// `/docs`: the description of v4, or with `?api=v3` that of v3, in the frame of the pages. Requests of v4 are those of the user
// who is signed in. A token can be entered under "Authorize"; v3 needs one.
import { signOut } from "./api.mjs";
import { to } from "./route.mjs";
import { arrive, session, userOf } from "./session.mjs";

const api = new URLSearchParams(location.search).get("api") === "v3" ? "v3" : "v4";
const user = () => userOf(session());

function link(text, href, current) {
  const made = Object.assign(document.createElement("a"), { textContent: text, href });
  if (current) made.setAttribute("aria-current", "page");
  return made;
}

function signOutButton() {
  const made = Object.assign(document.createElement("button"), { textContent: "Sign out" });
  made.addEventListener("click", async () => {
    await signOut();
    // Swagger UI may have a token
    location.reload();
  });
  return made;
}

function frame() {
  const main = [
    link("edgeforge", "/"),
    ...(user() ? [link("To do", "/todos")] : []),
    ...(user()?.is_admin ? [link("Administration", "/admin")] : []),
    link("Search", to.search()),
  ];
  const versions = ["v4", "v3"].map((version) => link(version, `?api=${version}`, version === api));
  document.getElementById("main")?.append(...main);
  document.getElementById("versions")?.append(...versions);
  const who = user()
    ? [link(user().name, to.person(user().username)), link("Settings", "/profile"), signOutButton()]
    : [link("Sign in", "/#sign-in")];
  document.getElementById("who")?.append(...who);
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

addEventListener("load", async () => {
  await arrive();
  document.title = `edgeforge API ${api}`;
  frame();
  paint();
  dark.addEventListener("change", paint);
  window.ui = SwaggerUIBundle({
    url: `/api/${api}/openapi.json`,
    dom_id: "#page",
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    // sends nothing to the public validator of Swagger
    validatorUrl: null,
    requestInterceptor: (request) => {
      request.headers["X-Edgeforge-Page"] = "1";
      return request;
    },
  });
});
