// Shows the description beside this page. A token goes into "Authorize"; it stays in the page and is forgotten with it.
window.addEventListener("load", () => {
  window.ui = SwaggerUIBundle({
    url: "api/v3/openapi.json",
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
