use crate::call::Call;
use crate::error::{Error, Excess, Result};
use crate::places::MOST_OF_A_PERSON;

/// A place, until the request ends.
pub struct Held<'c, 'a> {
    call: &'c Call<'a>,
    person: i64,
}

impl Drop for Held<'_, '_> {
    fn drop(&mut self) {
        self.call.store.remember(&mut |memory| memory.files.release(self.person));
    }
}

/// A place for an authorized request. 429 if all are taken.
pub fn hold<'c, 'a>(call: &'c Call<'a>) -> Result<Held<'c, 'a>> {
    let person = call.person_id.get().unwrap_or_default();
    let mut has_room = true;
    call.store.remember(&mut |memory| has_room = memory.files.take(person, call.now));
    if has_room {
        return Ok(Held { call, person });
    }
    let (most, what, wait) = (MOST_OF_A_PERSON as i64, "files at once", 1);
    Err(Error::TooMany(Box::new(Excess { most, what, wait, until: call.now / 1000 + wait })))
}
