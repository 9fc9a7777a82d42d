//! How an area's `.sql` file becomes Rust.
//!
//! ```sql
//! -- name: one?
//! -- The label of this project with the id :id.
//! select l.id, l.title from scope s cross join labels l on l.project_id = s.project_id and l.id = :id
//! ```
//!
//! `include_statements!(mod sql: "src/areas/labels/labels.sql")` reads the file at compile time and generates a struct
//! for each named statement: `sql::one { id }`. Its fields are the statement's parameters, and it
//! converts into a [`Statement`](crate::kernel::store::Statement). A missing or unknown parameter does not compile.
//!
//! The sign behind a name defines how the statement begins (ARCHITECTURE.md, Authorization): with `scope`,
//! with `caller`, or with its own text. After `scope` or `caller` it continues with `select`, `insert`,
//! `update` or `delete`, or with a comma and another common table expression. `call/gate.rs` adds the binds
//! of these. `(select ?1)` is the caller's key there, for a statement that asks `project_access` about other projects.
//!
//! Rows are read by the names of their columns into a struct that derives `Row`. A statement may instead
//! return one column `row` with a JSON object.
//!
//! A parameter becomes `(select ?n)`, so that SQLite does not compile the statement again (ARCHITECTURE.md,
//! How a statement is written). Lists in several orders and the texts of scopes have bare binds, `?n`,
//! because they are long or used often. In these, LIMIT and the caller's key need the subselect. A test fails
//! if SQLite compiles a statement again.

pub(crate) use include_sql::{include_sql, index_of};

/// `?1` key of the caller, `?2` now, `?3` id or path of the project, `?4` least access, `?5` least
/// visibility, `?6` allowed scopes of tokens, `?7` least access to confidential issues.
macro_rules! project {
    () => {
        "with place as materialized (select * from project_access where key = (select ?1) and expires_at > ?2 and project_id =
  ifnull((select id from projects where path_key = ?3), ?3)
), scope as materialized (select *, ?2 as now, access >= ?7 as reads_confidential from place
  where (access >= ?4 or visibility >= ?5) and scopes & ?6 and (access > 0 or token_project_id is null))
"
    };
}

/// The same binds as `project`.
macro_rules! group {
    () => {
        "with place as materialized (select * from group_access where key = (select ?1) and expires_at > ?2 and group_id =
  ifnull((select id from namespaces where path_key = ?3), ?3)
), scope as materialized (select *, ?2 as now, access >= ?7 as reads_confidential from place
  where (access >= ?4 or visibility >= ?5) and scopes & ?6 and (access > 0 or token_project_id is null))
"
    };
}

/// `?1` key of the caller, `?2` now, `?3` allowed scopes of tokens, `?4` 1 if only administrators may, `?5`
/// least access to confidential issues.
macro_rules! caller {
    () => {
        "with caller as materialized (
  select c.*, ?2 as now, ?5 as confidential_level from callers c
  where c.key = (select ?1) and c.expires_at > ?2 and c.scopes & ?3 and (c.admin or not ?4))
"
    };
}

macro_rules! include_statements {
    ($visibility:vis mod $name:ident: $($file:tt),+) => {
        $visibility mod $name {
            use $crate::kernel::sql::{impl_sql, include_sql};
            $(include_sql!($file);)+
        }
    };
}

macro_rules! impl_sql {
    ($_file:ident = $({ $sign:tt $name:ident ($(: $param:ident $_type:tt)*) $doc:literal $_end:tt $($text:tt)* }),* $(,)?) => {
        $($crate::kernel::sql::statement! { $sign $name [] [$($param)*] $doc { $($text)* } })*
    };
}

/// For a file of lists in several orders. Four words of its statements are replaced at compile time, so that
/// each order is a text of its own that an index serves:
///
/// * `:sort_key`: the columns that the list is ordered by,
/// * `:way` and `:beyond`: `asc` and `>`, or `desc` and `<`,
/// * `:index`: the name of an index, if the table of orders has one beside the sort key (`Id: "p.id" "projects_within"`).
///
/// ```ignore
/// macro_rules! impl_sql {
///     ($($file:tt)*) => { ordered_sql! { Order { Id: "p.id", Name: "lower(p.name)" } $($file)* } };
/// }
/// include_sql!("src/areas/projects/lists.sql");
/// ```
///
/// Parameters are bare binds here, so write `(select :most)` in a LIMIT.
///
/// Each struct has two more fields, even if its statement has none of these words: `order`, a variant of the
/// module's enum `Order`, and `ascending`.
macro_rules! ordered_sql {
    ($order:ident $keys:tt $_file:ident = $({ $sign:tt $name:ident ($(: $param:ident $_type:tt)*) $doc:literal $_end:tt $($text:tt)* }),* $(,)?) => {
        $($crate::kernel::sql::statement! { $sign $name [$order $keys] [$($param)*] $doc { $($text)* } })*
    };
}

macro_rules! statement {
    (! $($rest:tt)*) => { $crate::kernel::sql::statement! { of None ("") 1 [] $($rest)* } };
    (? $($rest:tt)*) => { $crate::kernel::sql::statement! { of Project ($crate::kernel::sql::project!()) 8 [] $($rest)* } };
    (& $($rest:tt)*) => { $crate::kernel::sql::statement! { of Group ($crate::kernel::sql::group!()) 8 [] $($rest)* } };
    (@ $($rest:tt)*) => { $crate::kernel::sql::statement! { of Caller ($crate::kernel::sql::caller!()) 6 [] $($rest)* } };
    (of $scope:ident $begin:tt $first_bind:literal [] $name:ident [] [$($param:ident)*] $doc:literal $text:tt) => {
        $crate::kernel::sql::statement! {
            as $scope $name [$($param,)*] [] _own $doc $crate::kernel::sql::text!($begin $first_bind [$($param,)*] [] $text)
        }
    };
    // for several orders: removes the four words from the parameters
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [sort_key $($more:ident)*] $($rest:tt)*) => {
        $crate::kernel::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [way $($more:ident)*] $($rest:tt)*) => {
        $crate::kernel::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [beyond $($more:ident)*] $($rest:tt)*) => {
        $crate::kernel::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [index $($more:ident)*] $($rest:tt)*) => {
        $crate::kernel::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal [$($known:ident,)*] $name:ident $orders:tt [$param:ident $($more:ident)*] $($rest:tt)*) => {
        $crate::kernel::sql::statement! { of $scope $begin $first_bind [$($known,)* $param,] $name $orders [$($more)*] $($rest)* }
    };
    (
        of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident [$order:ident { $($variant:ident: $key:literal $($index:literal)?),* $(,)? }] []
        $doc:literal $text:tt
    ) => {
        $crate::kernel::sql::statement! {
            as $scope $name $params [order: $order, ascending: bool] _own $doc match (_own.order, _own.ascending) {$(
                ($order::$variant, true) => $crate::kernel::sql::text!($begin $first_bind $params [$key "asc" ">" $($index)?] $text),
                ($order::$variant, false) => $crate::kernel::sql::text!($begin $first_bind $params [$key "desc" "<" $($index)?] $text),
            )*}
        }
    };
    (
        as $scope:ident $name:ident [$($param:ident,)*] [$($field:ident: $type:ty),*] $own:ident $doc:literal $text:expr
    ) => {
        #[doc = concat!("`", stringify!($name), "`", $doc)]
        #[allow(non_camel_case_types)]
        pub struct $name<$($param),*> { $(pub $field: $type,)* $(pub $param: $param),* }

        #[allow(non_camel_case_types)]
        impl<$($param: Into<$crate::kernel::store::Value>),*> From<$name<$($param),*>> for $crate::kernel::store::Batch {
            fn from(own: $name<$($param),*>) -> $crate::kernel::store::Batch {
                $crate::kernel::store::Batch(vec![own.into()])
            }
        }

        #[allow(non_camel_case_types)]
        impl<$($param: Into<$crate::kernel::store::Value>),*> From<$name<$($param),*>> for $crate::kernel::store::Statement {
            fn from($own: $name<$($param),*>) -> $crate::kernel::store::Statement {
                $crate::kernel::store::Statement {
                    sql: std::borrow::Cow::Borrowed($text),
                    name: concat!(module_path!(), "::", stringify!($name)),
                    scope: $crate::kernel::store::Scope::$scope,
                    binds: vec![$($own.$param.into()),*],
                }
            }
        }
    };
}

macro_rules! text {
    (($($begin:tt)*) $first_bind:literal $params:tt $words:tt { $first:literal $(: $bind:ident $($text:literal)?)* }) => {
        concat!($($begin)*, $first, $($crate::kernel::sql::piece!($bind $words $params $first_bind), $($text,)?)*)
    };
}

/// Replaces `:name` by a word or a bind.
macro_rules! piece {
    (sort_key [$key:literal $way:literal $beyond:literal $($_index:literal)?] $($_rest:tt)*) => { $key };
    (way [$key:literal $way:literal $beyond:literal $($_index:literal)?] $($_rest:tt)*) => { $way };
    (beyond [$key:literal $way:literal $beyond:literal $($_index:literal)?] $($_rest:tt)*) => { $beyond };
    (index [$key:literal $way:literal $beyond:literal $index:literal] $($_rest:tt)*) => { $index };
    ($bind:ident [] $params:tt $first_bind:literal) => {
        concat!("(select ?", $crate::kernel::sql::index_of!($bind in $params + $first_bind), ")")
    };
    ($bind:ident $_words:tt $params:tt $first_bind:literal) => {
        concat!("?", $crate::kernel::sql::index_of!($bind in $params + $first_bind))
    };
}

pub(crate) use {caller, group, impl_sql, include_statements, ordered_sql, piece, project, statement, text};
