//! SQL is source: how an area's `.sql` file becomes Rust.
//!
//! ```sql
//! -- name: one?
//! -- Which label of this project has the id :id, or else the title :title?
//! select l.id, l.title from scope s cross join labels l on l.project_id = s.project_id and l.id = :id
//! ```
//!
//! `include_sql!("src/labels/labels.sql")` reads the file when the crate is compiled and writes a struct for each named
//! statement, whose fields are its parameters: `sql::one { id, title }`. The struct converts into a [`Statement`]. A
//! parameter that is missing, or that the text does not have, does not compile, and no order of parameters matters.
//!
//! The sign behind a name says what the statement begins with:
//!
//! | sign | the statement begins with |
//! |---|---|
//! | none | its own text |
//! | `?` | `scope`: one row, the project of the route and the caller's access to it, if the caller may do what the route says; else no row |
//! | `&` | the same of a group |
//! | `@` | `caller`: one row, who calls, if the caller may do what the route says; else no row |
//!
//! The text of such a statement goes on behind the common table expression: with `select`, `insert`, `update` or `delete`, or with
//! a comma and a further common table expression. [`PROJECT`], [`GROUP`] and [`CALLER`] are what stands in front of it; the binds
//! of these come from the route and the request (`call/gate.rs`).
//!
//! A row is read by the names of its columns: a struct that derives `Row` has a field for each. A statement with the one column
//! `row` returns JSON objects instead, which are read in the same way.
//!
//! A parameter is written into the text as `(select ?n)`. SQLite compiles a statement again when a bare bind that its plan might
//! depend on is cleared, and the platform clears binds after every use
//! ([`sqlite3_clear_bindings`](https://www.sqlite.org/src/file/src/vdbeapi.c)). It does not look at a bind inside a subselect.
//! In lists that come in several orders and in the texts of scopes it stands bare, as `?n`, because these are long or many; there
//! a LIMIT and the key of the caller need the subselect. The tests refuse a statement that SQLite compiles again.

pub(crate) use include_sql::{include_sql, index_of};

/// The project of the route. `?1` key of the caller, `?2` now, `?3` id or path of the project, `?4` least access, `?5` least
/// visibility, `?6` scopes of tokens that may, `?7` least access to confidential issues.
macro_rules! project {
    () => {
        "with place as materialized (select * from project_access where key = (select ?1) and expires_at > ?2 and project_id =
  ifnull((select id from projects where path_key = ?3), ?3)
), scope as materialized (select *, ?2 as now, access >= ?7 as reads_confidential from place
  where (access >= ?4 or visibility >= ?5) and scopes & ?6 and (access > 0 or token_project_id is null))
"
    };
}

/// The group of the route. The same binds.
macro_rules! group {
    () => {
        "with place as materialized (select * from group_access where key = (select ?1) and expires_at > ?2 and group_id =
  ifnull((select id from namespaces where path_key = ?3), ?3)
), scope as materialized (select *, ?2 as now, access >= ?7 as reads_confidential from place
  where (access >= ?4 or visibility >= ?5) and scopes & ?6 and (access > 0 or token_project_id is null))
"
    };
}

/// Who calls. `?1` key of the caller, `?2` now, `?3` scopes of tokens that may, `?4` 1 if only administrators may,
/// `?5` least access to confidential issues.
macro_rules! caller {
    () => {
        "with caller as materialized (
  select c.*, ?2 as now, ?5 as confidential_level from callers c
  where c.key = (select ?1) and c.expires_at > ?2 and c.scopes & ?3 and (c.admin or not ?4))
"
    };
}

/// What `include_sql!` calls: a struct for each statement of a file.
macro_rules! impl_sql {
    ($_file:ident = $({ $sign:tt $name:ident ($(: $param:ident $_type:tt)*) $doc:literal $_end:tt $($text:tt)* }),* $(,)?) => {
        $($crate::sql::statement! { $sign $name [] [$($param)*] $doc { $($text)* } })*
    };
}

/// The same for a file of lists that come in several orders. Its statements are written once, with words that are replaced when
/// the crate is compiled, so that each order is a text of its own which an index serves:
///
/// * `:sort_key`: what the list is ordered by,
/// * `:way`: `asc` or `desc`,
/// * `:beyond`: `>` or `<`,
/// * `:index`: the name of an index, if the table of orders has one beside the sort key (`Id: "p.id" "projects_within"`).
///
/// ```ignore
/// macro_rules! impl_sql {
///     ($($file:tt)*) => { ordered_sql! { Order { Id: "p.id", Name: "lower(p.name)" } $($file)* } };
/// }
/// include_sql!("src/projects/lists.sql");
/// ```
///
/// A parameter stands bare in it. In a LIMIT write `(select :most)`.
///
/// The struct of such a statement has two more fields: `order`, a variant of the enum `Order`, which the module has, and
/// `ascending`. A statement without any of the words has them as well.
macro_rules! ordered_sql {
    ($order:ident $keys:tt $_file:ident = $({ $sign:tt $name:ident ($(: $param:ident $_type:tt)*) $doc:literal $_end:tt $($text:tt)* }),* $(,)?) => {
        $($crate::sql::statement! { $sign $name [$order $keys] [$($param)*] $doc { $($text)* } })*
    };
}

/// A struct of a statement's parameters, and how it becomes a [`Statement`](crate::store::Statement).
macro_rules! statement {
    (! $($rest:tt)*) => { $crate::sql::statement! { of None ("") 1 [] $($rest)* } };
    (? $($rest:tt)*) => { $crate::sql::statement! { of Project ($crate::sql::project!()) 8 [] $($rest)* } };
    (& $($rest:tt)*) => { $crate::sql::statement! { of Group ($crate::sql::group!()) 8 [] $($rest)* } };
    (@ $($rest:tt)*) => { $crate::sql::statement! { of Caller ($crate::sql::caller!()) 6 [] $($rest)* } };
    (of $scope:ident $begin:tt $first_bind:literal [] $name:ident [] [$($param:ident)*] $doc:literal $text:tt) => {
        $crate::sql::statement! {
            as $scope $name [$($param,)*] [] _own $doc $crate::sql::text!($begin $first_bind [$($param,)*] [] $text)
        }
    };
    // of a statement in several orders: takes the words out of the parameters, one after the other
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [sort_key $($more:ident)*] $($rest:tt)*) => {
        $crate::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [way $($more:ident)*] $($rest:tt)*) => {
        $crate::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [beyond $($more:ident)*] $($rest:tt)*) => {
        $crate::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident $orders:tt [index $($more:ident)*] $($rest:tt)*) => {
        $crate::sql::statement! { of $scope $begin $first_bind $params $name $orders [$($more)*] $($rest)* }
    };
    (of $scope:ident $begin:tt $first_bind:literal [$($known:ident,)*] $name:ident $orders:tt [$param:ident $($more:ident)*] $($rest:tt)*) => {
        $crate::sql::statement! { of $scope $begin $first_bind [$($known,)* $param,] $name $orders [$($more)*] $($rest)* }
    };
    (
        of $scope:ident $begin:tt $first_bind:literal $params:tt $name:ident [$order:ident { $($variant:ident: $key:literal $($index:literal)?),* $(,)? }] []
        $doc:literal $text:tt
    ) => {
        $crate::sql::statement! {
            as $scope $name $params [order: $order, ascending: bool] _own $doc match (_own.order, _own.ascending) {$(
                ($order::$variant, true) => $crate::sql::text!($begin $first_bind $params [$key "asc" ">" $($index)?] $text),
                ($order::$variant, false) => $crate::sql::text!($begin $first_bind $params [$key "desc" "<" $($index)?] $text),
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
        impl<$($param: Into<$crate::store::Value>),*> From<$name<$($param),*>> for $crate::store::Batch {
            fn from(own: $name<$($param),*>) -> $crate::store::Batch {
                $crate::store::Batch(vec![own.into()])
            }
        }

        #[allow(non_camel_case_types)]
        impl<$($param: Into<$crate::store::Value>),*> From<$name<$($param),*>> for $crate::store::Statement {
            fn from($own: $name<$($param),*>) -> $crate::store::Statement {
                $crate::store::Statement {
                    sql: std::borrow::Cow::Borrowed($text),
                    name: concat!(module_path!(), "::", stringify!($name)),
                    scope: $crate::store::Scope::$scope,
                    binds: vec![$($own.$param.into()),*],
                }
            }
        }
    };
}

macro_rules! text {
    (($($begin:tt)*) $first_bind:literal $params:tt $words:tt { $first:literal $(: $bind:ident $($text:literal)?)* }) => {
        concat!($($begin)*, $first, $($crate::sql::piece!($bind $words $params $first_bind), $($text,)?)*)
    };
}

/// What stands in the text for `:name`: a word, or a parameter.
macro_rules! piece {
    (sort_key [$key:literal $way:literal $beyond:literal $($_index:literal)?] $($_rest:tt)*) => { $key };
    (way [$key:literal $way:literal $beyond:literal $($_index:literal)?] $($_rest:tt)*) => { $way };
    (beyond [$key:literal $way:literal $beyond:literal $($_index:literal)?] $($_rest:tt)*) => { $beyond };
    (index [$key:literal $way:literal $beyond:literal $index:literal] $($_rest:tt)*) => { $index };
    ($bind:ident [] $params:tt $first_bind:literal) => {
        concat!("(select ?", $crate::sql::index_of!($bind in $params + $first_bind), ")")
    };
    ($bind:ident $_words:tt $params:tt $first_bind:literal) => {
        concat!("?", $crate::sql::index_of!($bind in $params + $first_bind))
    };
}

pub(crate) use {caller, group, impl_sql, ordered_sql, piece, project, statement, text};
