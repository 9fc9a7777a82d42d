// What the runtime has and the types of browsers lack, for `tsc` alone.

/** wasm-bindgen writes it beside the copies of these files: scripts/build. */
declare module "*/index.js" {
  export const answer: (request: Request, env: any, resolve: (response: any, hasEvents: boolean) => void) => void;
  export const deliver: (env: any, isCron: boolean, resolve: (error?: string) => void) => void;
  export const index: (env: any, resolve: (error?: string) => void) => void;
  export const sweep: (env: any, resolve: (error?: string) => void) => void;
  export const __wbg_reset_state: () => void;
}

declare class IdentityTransformStream extends TransformStream {}
declare class FixedLengthStream extends IdentityTransformStream {
  constructor(length: number);
}
interface ResponseInit {
  encodeBody?: "automatic" | "manual";
}
