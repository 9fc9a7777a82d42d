//! An object store in memory, stricter than R2: a test that passes here would pass there.

use super::now;
use base64::{Engine, prelude::BASE64_STANDARD};
use edgeforge::gzip::Gzip;
use edgeforge::http::Stream;
use edgeforge::store::{Failure, OBJECTS_OF_A_PAGE, Objects, PART, PackedObject, Piece, Span, StoreFuture, Upload};
use flate2::Crc;
use flate2::read::ZlibDecoder;
use std::collections::BTreeMap;
use std::future::ready;
use std::io::Read;
use std::rc::Rc;
use std::sync::Mutex;

#[derive(Default)]
pub struct Bucket(Mutex<State>);

#[derive(Default)]
struct State {
    /// Texts, and the times of their creation.
    objects: BTreeMap<String, (String, i64)>,
    /// Objects that are stored as they are.
    packed: BTreeMap<String, (PackedObject, i64)>,
    /// How many more writes succeed before the store fails; `None`: all.
    left: Option<usize>,
    reads: usize,
    unbound: bool,
    /// Called once after the next put.
    after_put: Option<Box<dyn FnOnce() + Send>>,
    /// Called once before the next read of several objects.
    before_read: Option<Box<dyn FnOnce() + Send>>,
}

fn unreachable() -> Failure {
    Failure::Interrupted("the object store is out of reach".to_owned())
}

impl Bucket {
    fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.0.lock().unwrap())
    }

    pub fn keys(&self) -> Vec<String> {
        self.with(|state| state.keys())
    }

    /// Of all objects, those of texts unpacked.
    pub fn bytes(&self) -> i64 {
        self.with(|state| {
            let texts = state.objects.values().map(|(text, _)| text.len());
            texts.chain(state.packed.values().map(|(packed, _)| packed.bytes.len())).sum::<usize>() as i64
        })
    }

    /// Puts an object with that time of creation, also one that is not the service's.
    pub fn plant(&self, key: &str, put_at: i64) {
        self.with(|state| state.objects.insert(key.to_owned(), ("[]".to_owned(), put_at)));
    }

    /// Deletes an object behind the service's back. Returns whether it existed.
    pub fn lose(&self, key: &str) -> bool {
        self.with(|state| state.objects.remove(key).is_some() | state.packed.remove(key).is_some())
    }

    /// From now on this many writes succeed, then the store fails; `None`: all succeed.
    pub fn break_after(&self, writes: Option<usize>) {
        self.with(|state| state.left = writes);
    }

    /// Binds the store to the service, or unbinds it.
    pub fn bind(&self, bound: bool) {
        self.with(|state| state.unbound = !bound);
    }

    pub fn is_bound(&self) -> bool {
        self.with(|state| !state.unbound)
    }

    /// Whether the store may fail or is not bound.
    pub fn is_broken(&self) -> bool {
        self.with(|state| state.unbound || state.left.is_some())
    }

    pub fn after_put(&self, call: impl FnOnce() + Send + 'static) {
        self.with(|state| state.after_put = Some(Box::new(call)));
    }

    pub fn before_read(&self, call: impl FnOnce() + Send + 'static) {
        self.with(|state| state.before_read = Some(Box::new(call)));
    }

    /// The number of reads since the last call.
    pub fn take_reads(&self) -> usize {
        self.with(|state| std::mem::take(&mut state.reads))
    }
}

impl State {
    fn write(&mut self) -> Result<(), Failure> {
        match &mut self.left {
            None => Ok(()),
            Some(0) => Err(unreachable()),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
        }
    }

    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.objects.keys().chain(self.packed.keys()).cloned().collect();
        keys.sort();
        keys
    }

    fn uploaded(&self, key: &str) -> i64 {
        let text = self.objects.get(key).map(|(_, at)| *at);
        text.or(self.packed.get(key).map(|(_, at)| *at)).expect("an object")
    }

    fn put_packed(&mut self, key: String, packed: PackedObject) -> Result<(), Failure> {
        self.write()?;
        if key.len() > 1024 || packed.about.len() > 1024 || packed.bytes.is_empty() {
            return Err(Failure::Other(format!("{key}: not an object")));
        }
        self.packed.insert(key, (packed, now()));
        Ok(())
    }

    fn read_packed(&mut self, key: &str) -> Result<Option<PackedObject>, Failure> {
        self.reads += 1;
        if self.left == Some(0) {
            return Err(unreachable());
        }
        Ok(self.packed.get(key).map(|(packed, _)| packed.clone()))
    }

    fn read(&mut self, key: &str) -> Result<Option<String>, Failure> {
        self.reads += 1;
        if self.left == Some(0) {
            return Err(unreachable());
        }
        Ok(self.objects.get(key).map(|(text, _)| text.clone()))
    }
}

impl Objects for Bucket {
    fn put(&self, objects: Vec<(String, String)>) -> StoreFuture<'_, ()> {
        let outcome = self.with(|state| {
            if objects.is_empty() {
                return Err(Failure::Other("nothing to put".to_owned()));
            }
            for (key, text) in objects {
                state.write()?;
                if key.len() > 1024 {
                    return Err(Failure::Other(format!("a key of {} bytes", key.len())));
                }
                // the content of a name never changes
                match state.objects.get(&key) {
                    Some((there, _)) if *there != text => {
                        return Err(Failure::Other(format!("{key} is another")));
                    }
                    _ => state.objects.insert(key, (text, now())),
                };
            }
            Ok(())
        });
        if let Some(call) = self.with(|state| state.after_put.take()) {
            call();
        }
        Box::pin(ready(outcome))
    }

    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Stream>> {
        let text = self.with(|state| state.read(key));
        Box::pin(ready(text.map(|text| text.map(|text| Stream(Rc::new(text))))))
    }

    fn text<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<String>> {
        Box::pin(ready(self.with(|state| state.read(key))))
    }

    fn delete(&self, keys: Vec<String>) -> StoreFuture<'_, ()> {
        let outcome = self.with(|state| {
            if keys.is_empty() || keys.len() > 1000 {
                return Err(Failure::Other(format!("{} keys to delete", keys.len())));
            }
            for key in keys {
                state.write()?;
                state.objects.remove(&key);
                state.packed.remove(&key);
            }
            Ok(())
        });
        Box::pin(ready(outcome))
    }

    fn list(&self, prefix: &str, after: &str, before: i64) -> StoreFuture<'_, Vec<String>> {
        let page = self.with(|state| {
            let fits = |key: &&String| key.starts_with(prefix) && key.as_str() > after;
            let keys = state.keys();
            let keys: Vec<&String> = keys.iter().filter(fits).take(OBJECTS_OF_A_PAGE).collect();
            let last = keys.last().filter(|_| keys.len() == OBJECTS_OF_A_PAGE);
            let last = last.map(|key| (*key).clone()).unwrap_or_default();
            let old = keys.into_iter().filter(|key| state.uploaded(key) < before).cloned();
            [last].into_iter().chain(old).collect()
        });
        Box::pin(ready(Ok(page)))
    }

    fn put_packed(&self, objects: Vec<(String, PackedObject)>) -> StoreFuture<'_, ()> {
        let mut objects = objects.into_iter();
        let outcome = self.with(|state| objects.try_for_each(|(key, packed)| state.put_packed(key, packed)));
        if let Some(call) = self.with(|state| state.after_put.take()) {
            call();
        }
        Box::pin(ready(outcome))
    }

    fn packed(&self, keys: Vec<String>, most: usize) -> StoreFuture<'_, Vec<Option<PackedObject>>> {
        if let Some(call) = self.with(|state| state.before_read.take()) {
            call();
        }
        let read = |state: &mut State| {
            let one = |key: &String| {
                let found = state.read_packed(key)?;
                let cut = |packed: PackedObject| match packed.bytes.len() > most {
                    true => PackedObject { bytes: Vec::new(), ..packed },
                    false => packed,
                };
                Ok(found.map(cut))
            };
            keys.iter().map(one).collect()
        };
        Box::pin(ready(self.with(read)))
    }

    fn copy(&self, pairs: Vec<(String, String)>) -> StoreFuture<'_, ()> {
        let outcome = self.with(|state| {
            pairs.into_iter().try_for_each(|(from, to)| match state.read_packed(&from)? {
                Some(packed) => state.put_packed(to, packed),
                None => Ok(()),
            })
        });
        Box::pin(ready(outcome))
    }

    fn begin_of<'a>(&'a self, key: &'a str, length: u64) -> StoreFuture<'a, Option<Vec<u8>>> {
        assert!(length > 0, "R2 sends no empty part");
        let found = self.with(|state| state.read_packed(key));
        Box::pin(ready(found.map(|found| found.map(|found| found.bytes.into_iter().take(length as usize).collect()))))
    }

    fn about<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<String>> {
        let found = self.with(|state| state.read_packed(key));
        Box::pin(ready(found.map(|found| found.map(|packed| packed.about))))
    }

    fn open<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<(String, Stream)>> {
        let found = self.with(|state| state.read_packed(key));
        let opened = |PackedObject { about, bytes }: PackedObject| (about, Stream(Rc::new(bytes)));
        Box::pin(ready(found.map(|found| found.map(opened))))
    }

    fn part<'a>(&'a self, key: &'a str, Span { skip, length }: Span) -> StoreFuture<'a, Option<Stream>> {
        assert!(length > 0, "R2 sends no empty part");
        let found = self.with(|state| state.read_packed(key));
        let part = |PackedObject { bytes, .. }: PackedObject| {
            let (skip, length) = (skip as usize, length as usize);
            Stream(Rc::new(bytes[skip..skip + length].to_vec()))
        };
        Box::pin(ready(found.map(|found| found.map(part))))
    }

    fn unpacked(&self, object: &Stream, span: Span) -> Stream {
        let packed = object.0.downcast_ref::<Vec<u8>>().expect("an opened object");
        let mut bytes = Vec::new();
        ZlibDecoder::new(packed.as_slice()).read_to_end(&mut bytes).expect("a zlib stream");
        let (skip, length) = (span.skip as usize, span.length as usize);
        Stream(Rc::new(bytes[skip..skip + length].to_vec()))
    }

    fn in_base64(&self, object: &Stream, [before, after]: [String; 2], length: u64) -> Stream {
        let packed = object.0.downcast_ref::<Vec<u8>>().expect("an opened object");
        let mut bytes = Vec::new();
        ZlibDecoder::new(packed.as_slice()).read_to_end(&mut bytes).expect("a zlib stream");
        let text = before + &BASE64_STANDARD.encode(bytes) + &after;
        assert_eq!(text.len() as u64, length);
        Stream(Rc::new(text.into_bytes()))
    }

    fn assembled(&self, pieces: Vec<Piece>, gzip: bool) -> Stream {
        let (mut bytes, mut sums) = (Vec::new(), Vec::new());
        for piece in pieces {
            match piece {
                Piece::Bytes(more) => bytes.extend(more),
                Piece::Sum(number) => bytes.extend(u32::to_le_bytes(sums[number as usize])),
                Piece::Object { key, other, size } => {
                    let read = |key: &str| self.with(|state| state.read_packed(key)).expect("a store");
                    let found = read(&key).or_else(|| read(&other?)).expect("an object");
                    let (mut content, mut crc) = (Vec::new(), Crc::new());
                    ZlibDecoder::new(found.bytes.as_slice()).read_to_end(&mut content).expect("a zlib stream");
                    assert_eq!(content.len() as u64, size, "{key}");
                    crc.update(&content);
                    sums.push(crc.sum());
                    bytes.extend(content);
                }
            }
        }
        if gzip {
            let mut gzip = Gzip::default();
            bytes = [gzip.pack(&bytes).expect("bytes"), gzip.finish().expect("an end")].concat();
        }
        Stream(Rc::new(bytes))
    }

    fn begin<'a>(&'a self, key: &str) -> StoreFuture<'a, Box<dyn Upload + 'a>> {
        let upload = Parts { bucket: self, key: key.to_owned(), bytes: Vec::new(), is_last: false };
        Box::pin(ready(Ok(Box::new(upload) as Box<dyn Upload>)))
    }
}

struct Parts<'a> {
    bucket: &'a Bucket,
    key: String,
    bytes: Vec<u8>,
    /// A shorter part came.
    is_last: bool,
}

impl Upload for Parts<'_> {
    fn put(&mut self, bytes: Vec<u8>) -> StoreFuture<'_, ()> {
        let is_sound = !self.is_last && (1..=PART).contains(&bytes.len());
        self.is_last = bytes.len() < PART;
        self.bytes.extend(bytes);
        let outcome = if is_sound { Ok(()) } else { Err(Failure::Other("a part of another length".to_owned())) };
        Box::pin(ready(outcome))
    }

    fn finish(&mut self) -> StoreFuture<'_, ()> {
        let packed = PackedObject { bytes: std::mem::take(&mut self.bytes), about: String::new() };
        let outcome = self.bucket.with(|state| state.put_packed(self.key.clone(), packed));
        Box::pin(ready(outcome))
    }

    fn abandon(&mut self) -> StoreFuture<'_, ()> {
        self.bytes.clear();
        Box::pin(ready(Ok(())))
    }
}
