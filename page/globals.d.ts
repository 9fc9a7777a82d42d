// What the pages use and no module of them declares, for `tsc` alone.

/** The properties of the settings in openapi/, which scripts/page writes. */
declare module "settings-description" {
  const properties: Record<string, any>;
  export default properties;
}

/** Of swagger-ui-bundle.js, which /docs loads. `ui`: for its own scripts. */
declare const SwaggerUIBundle: any;
interface Window {
  ui: any;
}

declare var trustedTypes: any;
