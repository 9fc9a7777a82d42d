//! How an area's `.sql` file becomes Rust.
//!
//! ```sql
//! -- name: one
//! -- scope: project
//! -- returns: LabelRow?
//! -- The label of this project with the id :id.
//! select l.* from scope s cross join labels l on l.project_id = s.project_id and l.id = :id
//! ```
//!
//! `edgeforge_row::statements!(mod sql: "src/areas/labels/labels.sql")` reads the file when the crate is compiled and
//! generates a struct for each named statement, `sql::one { id }`. Its fields are the statement's parameters. A missing
//! or unknown parameter, piece or scope does not compile.
//!
//! | line | meaning |
//! |---|---|
//! | `-- scope: project`, `group`, `caller` | the statement begins with `scope` or `caller`, which has no row for a request that may not (ARCHITECTURE.md, Authorization). It continues with `select`, `insert`, `update` or `delete`, or with a comma and another common table expression. `(select ?1)` is the caller's key there |
//! | `-- returns: LabelRow?` | the type of a row, which derives `Row`: `LabelRow` for one row, `LabelRow?` for at most one, `LabelRow*` for any number. Without this line the answer is [`Rows`](crate::kernel::store::Rows) |
//! | `-- piece: name` | a text that takes the place of `:name`. `-- piece: name(a)` takes the place of `:name(value)`, and `:a` in it is the value. `pieces.sql` has those of all files |
//! | `-- binds: bare` | before the first name: a parameter is `?n`. Elsewhere it is `(select ?n)`, so that SQLite does not compile the statement again for other values (ARCHITECTURE.md, How a statement is written) |
//! | `-- order: Name = lower(p.name) (index)` | before the first name, for lists in several orders: each variant of the enum `Order` has a text of its own, which an index serves. `:sort_key` is the key, `:index` the index, `:way` and `:beyond` are `asc` and `>`, or `desc` and `<`. The structs have the fields `order` and `ascending` |
//! | `-- writes: events` | before the first name: what the statements write are events for hooks |

edgeforge_row::statements!(pub mod pieces: "src/kernel/pieces.sql");
