use js_sys::Reflect;
use wasm_bindgen::JsValue;

pub fn message(error: &JsValue) -> String {
    let message = Reflect::get(error, &JsValue::from_str("message")).ok().and_then(|text| text.as_string());
    message.unwrap_or_else(|| "unknown error of the database".to_owned())
}
