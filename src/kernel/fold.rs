//! Texts as systems compare names that look neither at case nor at the form of Unicode. JavaScript has the tables: a crate with
//! them makes the Worker 24 kB heavier.

#[cfg(target_arch = "wasm32")]
pub fn folded(text: &str) -> String {
    js_sys::JsString::from(text).normalize("NFD").to_upper_case().to_lower_case().into()
}

#[cfg(not(target_arch = "wasm32"))]
pub fn folded(text: &str) -> String {
    unicode_normalization::UnicodeNormalization::nfd(text).collect::<String>().to_uppercase().to_lowercase()
}
