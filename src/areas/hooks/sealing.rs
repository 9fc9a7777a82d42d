//! Seals the secrets of one hook.

use super::secrets::Sealer;
use super::{HEADER, HookRow, SIGNING_TOKEN, TOKEN, URL, VARIABLE};
use crate::kernel::call::Call;
use crate::kernel::error::Result;

/// The sealer is made only if there is a secret: a server may have no key.
pub(super) struct SealerOnce<'a, 'b> {
    pub call: &'a Call<'b>,
    pub hook: HookRow,
}

impl SealerOnce<'_, '_> {
    pub fn seal(&self, what: &str, text: &str) -> Result<String> {
        Sealer::of(self.call)?.seal(&self.hook.purpose(what), text)
    }

    /// Seals for this hook what an older version sealed for any.
    fn seal_again(&self, what: &str, sealed: &mut String) -> Result<()> {
        let key = self.call.config.hooks_key.as_ref();
        if let Some(text) = key.and_then(|key| self.hook.open(key, what, sealed)) {
            *sealed = self.seal(what, &text)?;
        }
        Ok(())
    }
}

pub(super) fn seal_again(call: &Call<'_>, row: &mut HookRow) -> Result<()> {
    let sealer = SealerOnce { call, hook: row.clone() };
    let tokens = [&mut row.signing_token, &mut row.old_signing_token].map(|token| (SIGNING_TOKEN, token));
    let texts = [(URL, &mut row.sealed_url), (TOKEN, &mut row.token)].into_iter().chain(tokens);
    let texts = texts.filter_map(|(what, text)| Some((what, text.as_mut()?)));
    let pairs = [(VARIABLE, &mut row.url_variables), (HEADER, &mut row.custom_headers)];
    let pairs =
        pairs.into_iter().flat_map(|(what, of)| of.0.iter_mut().map(move |pair| (what, &mut pair.value)));
    texts.chain(pairs).try_for_each(|(what, sealed)| sealer.seal_again(what, sealed))
}
