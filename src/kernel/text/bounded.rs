//! A text with a limit. A write beyond it fails, so a short input cannot make a long text.

use std::fmt;

pub struct BoundedText {
    pub text: String,
    /// Bytes.
    pub most: usize,
}

impl fmt::Write for BoundedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() + text.len() > self.most {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}
