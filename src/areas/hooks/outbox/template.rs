//! Custom templates of bodies: every `{{a.b.c}}` is replaced by the value there.

use crate::kernel::text::bounded::BoundedText;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::fmt::{self, Write};

/// The error says where the result is not JSON, or that it has more than `most` bytes.
pub fn rendered(template: &str, body: &str, most: usize) -> Result<String, String> {
    let body: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let mut bounded = BoundedText { text: String::new(), most };
    fill(&mut bounded, template, &body).map_err(|_| format!("the body has more than {most} bytes"))?;
    serde_json::from_str::<IgnoredAny>(&bounded.text).map_err(|error| error.to_string())?;
    Ok(bounded.text)
}

fn fill(to: &mut BoundedText, template: &str, body: &Value) -> fmt::Result {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        to.write_str(before)?;
        // items of lists have no name
        let found = name.trim().split('.').try_fold(body, |value, part| value.as_object()?.get(part));
        let begin = to.text.len();
        write!(to, "{}", found.unwrap_or(&Value::Null))?;
        if found.is_some_and(Value::is_string) {
            // the template has the quotation marks already
            to.text.pop();
            to.text.remove(begin);
        }
        rest = after;
    }
    to.write_str(rest)
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/hooks/outbox/template.rs"]
mod tests;
