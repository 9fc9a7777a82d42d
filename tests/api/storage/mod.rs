//! The database and the object store: schema, counters, retention, faults, races and large changes.

mod chunks;
pub mod counters;
mod d1_strictness;
mod faults;
mod file;
mod full;
mod ids;
mod objects;
mod races;
mod retention;
mod room;
mod room_history;
mod schema;
mod shares;
