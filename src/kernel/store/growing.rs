//! An object that is put while its bytes arrive.

use super::failure::Failure;
use super::objects::{Objects, PART, PackedObject, Upload};
use std::mem;

/// The bytes of an object. Its first parts may be stored already.
#[derive(Default)]
pub struct GrowingObject<'a> {
    pub key: String,
    /// The bytes that are not stored yet.
    pub bytes: Vec<u8>,
    /// Bytes of all parts.
    pub length: u64,
    pub upload: Option<Box<dyn Upload + 'a>>,
}

impl<'a> GrowingObject<'a> {
    pub fn new(key: String) -> GrowingObject<'a> {
        GrowingObject { key, ..GrowingObject::default() }
    }

    pub fn extend(&mut self, bytes: &[u8]) {
        let (has, needs) = (self.bytes.capacity(), self.bytes.len() + bytes.len());
        // without this, a vector would double its room
        if needs > has && needs > PART / 8 {
            self.bytes.reserve_exact(needs.max(PART + (64 << 10)) - self.bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        self.length += bytes.len() as u64;
    }

    pub fn fills_a_part(&self) -> bool {
        self.bytes.len() > PART
    }

    /// Stores all full parts, but leaves at least one byte for the last part.
    pub async fn store_parts(&mut self, store: &'a dyn Objects) -> Result<(), Failure> {
        let mut upload = match self.upload.take() {
            Some(upload) => upload,
            None => store.begin(&self.key).await?,
        };
        while self.fills_a_part() {
            let rest = self.bytes.split_off(PART);
            upload.put(mem::replace(&mut self.bytes, rest)).await?;
        }
        self.upload = Some(upload);
        Ok(())
    }

    /// Stores the rest as it is. An object without bytes is not stored.
    pub async fn finish(self, store: &'a dyn Objects) -> Result<(), Failure> {
        let GrowingObject { key, bytes, upload, .. } = self;
        match upload {
            Some(mut upload) => {
                upload.put(bytes).await?;
                upload.finish().await
            }
            None if bytes.is_empty() => Ok(()),
            None => store.put_packed(vec![(key, PackedObject { bytes, about: String::new() })]).await,
        }
    }

    /// Ends the upload without an object. Otherwise the store keeps its parts for some time.
    pub async fn abandon(self) {
        if let Some(mut upload) = self.upload {
            upload.abandon().await.ok();
        }
    }
}
