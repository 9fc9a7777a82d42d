//! JWTs: of a CI in place of a token, and of Cloudflare Access.

mod access;
mod forge;
mod keyless;
mod keys;
mod trusts;

pub use access::assertion;
pub use forge::{FIRST, signed};
pub use keyless::{ISSUER, claims_of, trusted};
