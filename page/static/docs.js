// Shows the description of v4, or with `?api=v3` that of v3. A token entered under "Authorize" is kept until the page closes.
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
    // sends nothing to the public validator of Swagger
    validatorUrl: null,
  });
});
