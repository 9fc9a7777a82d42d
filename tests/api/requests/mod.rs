//! What holds for requests of every area: paths, parameters, bodies, headers, pages and the description.

mod bodies;
mod completeness;
mod cursors;
mod description;
mod etags;
mod examples;
mod idempotency;
mod long_messages;
mod long_pages;
mod mistakes;
mod odd_names;
mod paging;
mod parameters;
mod probes;
mod routing;
mod text_limits;
mod times;
mod told;
mod totals;
mod unchanged;
mod unknown_parameters;
mod v4;
mod v4_empty_lists;
mod v4_if_unmodified_since;
mod walks;
