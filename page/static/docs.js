// Shows the descriptions beside this page: that of v4, or at `?api=v3` that of v3. A token goes into "Authorize"; it stays in
// the page and is forgotten with it.
window.addEventListener("load", () => {
  const api = new URLSearchParams(location.search).get("api") === "v3" ? "v3" : "v4";
  document.title = `edgeforge API ${api}`;
  document.querySelector(`nav a[href="?api=${api}"]`).setAttribute("aria-current", "page");
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
    // no file or call leaves this server
    validatorUrl: null,
  });
});
