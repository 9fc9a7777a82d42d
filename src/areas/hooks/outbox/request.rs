//! One try: the request that a hook gets.

use super::template;
use crate::areas::events::flags::kind_of;
use crate::areas::events::{EventRow, payload};
use crate::areas::hooks::address::{Address, host_of};
use crate::areas::hooks::secrets::{mac, uuid};
use crate::areas::hooks::{HookRow, header, signature};
use crate::kernel::config::Config;
use crate::kernel::gather::Gather;
use crate::kernel::store::OutgoingRequest;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Map, Value, json};

/// Some receivers require this beginning.
const AGENT: &str = "GitLab/17.0.0-edgeforge";
const REDACTED: &str = "[REDACTED]";
const REFUSED: &str = "[NOT SENT]";

/// A try to deliver an event to a hook.
pub struct DeliveryAttempt<'a> {
    pub config: &'a Config,
    pub hook: &'a HookRow,
    pub event: &'a EventRow,
    /// The same for all tries.
    pub webhook_id: &'a str,
    /// From 1.
    pub attempt: i64,
    /// Milliseconds since 1970.
    pub now: i64,
}

pub struct PreparedRequest {
    pub outgoing: OutgoingRequest,
    /// The headers of the request without secrets, as the log has them.
    pub logged: Value,
}

impl DeliveryAttempt<'_> {
    /// The request to send. The error is the reason why nothing is sent.
    pub fn prepared(&self) -> Result<PreparedRequest, String> {
        let DeliveryAttempt { config, hook, event, .. } = self;
        let opened = hook.opened(config.hooks_key.as_ref(), self.now);
        let opened = opened.ok_or("The secrets of this hook were sealed by another key: save them again")?;
        let address = opened.address().and_then(|text| Address::read(&text));
        let address = address.ok_or("URL is invalid")?;
        if let Some(reason) = address.refusal(&[host_of(&config.external_url), host_of(&payload::base(event))]) {
            return Err(format!("URL is blocked: {reason}"));
        }
        let body = payload::render(event, config, hook.project_id.is_none());
        let body = match &hook.custom_webhook_template {
            Some(template) => template::rendered(template, &body, payload::MOST)
                .map_err(|text| format!("Error while parsing rendered custom webhook template: {text}"))?,
            None => body,
        };
        let kind = match hook.project_id {
            Some(_) => kind_of(event.bit).map_or("System Hook", |kind| kind.header),
            None => "System Hook",
        };
        let chain = payload::chain(event).unwrap_or_else(|| self.webhook_id.to_owned());
        let mut headers: Vec<(&str, String)> = vec![
            ("Content-Type", "application/json".to_owned()),
            ("User-Agent", AGENT.to_owned()),
            ("X-Gitlab-Event", kind.to_owned()),
            ("X-Gitlab-Instance", payload::base(event)),
            ("X-Gitlab-Webhook-UUID", self.own_id()),
            ("X-Gitlab-Event-UUID", chain),
            ("Idempotency-Key", self.webhook_id.to_owned()),
            ("webhook-id", self.webhook_id.to_owned()),
        ];
        if !opened.signing_keys.is_empty() {
            let at = self.now / 1000;
            headers.push(("webhook-timestamp", at.to_string()));
            headers.push(("webhook-signature", signature::sign(&opened.signing_keys, self.webhook_id, at, &body)));
        }
        let mut logged: Map<String, Value> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).gather();
        let mut headers: Vec<(String, String)> =
            headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let secrets = [
            opened.token.as_ref().map(|token| ("X-Gitlab-Token", token.clone())),
            address.credentials().map(|text| ("Authorization", format!("Basic {}", BASE64_STANDARD.encode(text)))),
        ];
        let secrets = secrets.into_iter().flatten().map(|(name, value)| (name.to_owned(), value));
        // a hook may be older than the list of headers
        let (custom, refused): (Vec<_>, Vec<_>) =
            opened.headers.iter().cloned().partition(|(name, _)| header::is_allowed(name));
        logged.extend(refused.into_iter().map(|(name, _)| (name, json!(REFUSED))));
        for (name, value) in secrets.chain(custom) {
            // the server's own headers take precedence
            if !headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                logged.insert(name.clone(), json!(REDACTED));
                headers.push((name, value));
            }
        }
        let outgoing = OutgoingRequest { url: address.to_send(), headers, body };
        Ok(PreparedRequest { outgoing, logged: Value::Object(logged) })
    }

    /// A UUID of this try.
    fn own_id(&self) -> String {
        let DeliveryAttempt { webhook_id, attempt, now, .. } = self;
        uuid(&mac(b"try", &[format!("{webhook_id} {attempt} {now}").as_bytes()]))
    }
}
