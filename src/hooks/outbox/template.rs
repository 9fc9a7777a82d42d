//! Custom templates of bodies: every `{{a.b.c}}` is replaced by the value there.

use serde_json::Value;

/// The error is where the result stops being JSON.
pub fn rendered(template: &str, body: &str) -> Result<String, String> {
    let body: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        text.push_str(before);
        text.push_str(&value(&body, name.trim()));
        rest = after;
    }
    text.push_str(rest);
    let whole: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(whole.to_string())
}

/// A text without its quotes, because the template has them. Items of lists have no name.
fn value(body: &Value, name: &str) -> String {
    let found = name.split('.').try_fold(body, |value, part| value.as_object()?.get(part));
    let json = found.map_or_else(|| "null".to_owned(), Value::to_string);
    match found {
        Some(Value::String(_)) => {
            json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
        }
        _ => json,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/hooks/outbox/template.rs"]
mod tests;
