//! A piece of `lists.sql` (`-- name: conditions+`) replaces its name (`:conditions`) in other pieces and in templates.
//! A template (`-- name: by_creation*`) becomes one text for each kind of list and each direction.

use crate::kernel::sql::pieces;
use crate::kernel::store::{Scope, Statement, Value};
use include_sql::{include_sql, index_of};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListPlace {
    Project,
    Group,
    /// Issues that the caller wrote or is assigned to.
    Caller,
    Anywhere,
}

/// Calls a macro with the names of all parameters. `kinds` is last, because every statement uses it.
macro_rules! with_parameters {
    ($call:ident! $($rest:tt)*) => {
        $call! {
            [
                active, assigned, bound, by_counter, by_due_date, confidential_level, created_from, created_to, due,
                due_from, due_to, exact, has_iid, iids, in_description, in_title, labeled, labels, look, milestone, mine, most,
                not_milestone, people, planned, reacted, reaction, after_at, after_id, after_rank, sign, skip, started, titles, today,
                until, upcoming, updated, updated_from, updated_to, wide, words, kinds
            ]
            $($rest)*
        }
    };
}

macro_rules! asked {
    ([$($name:ident),*]) => {
        #[derive(Debug, Clone)]
        pub struct FilterBinds { $(pub $name: Value),* }

        impl Default for FilterBinds {
            fn default() -> FilterBinds {
                FilterBinds { $($name: Value::Null),* }
            }
        }

        impl FilterBinds {
            fn binds(self) -> Vec<Value> {
                vec![$(self.$name),*]
            }
        }
    };
}
with_parameters! { asked! }

/// `include_sql!` calls it. It makes each piece and template a macro that expands its tokens.
macro_rules! impl_sql {
    ($_file:ident = $({ $_sign:tt $name:ident $_params:tt $_doc:literal $d:tt $($text:tt)* }),* $(,)?) => {
        $(macro_rules! $name {
            ($list:tt $out:tt $d($d rest:tt)*) => { expand! { $list $out $($text)* $d($d rest)* } };
        })*
    };
}

/// Expands the tokens into arguments of `concat!`. The list is `[visible, first bind, at, way, beyond, within]`.
macro_rules! expand {
    ($list:tt [$($out:tt)*]) => { concat!($($out)*) };
    ($list:tt [$($out:tt)*] $text:literal $($rest:tt)*) => { expand! { $list [$($out)* $text,] $($rest)* } };
    ([$visible:ident $($list:tt)*] $out:tt : visible $($rest:tt)*) => { $visible! { [$visible $($list)*] $out $($rest)* } };
    ($list:tt $out:tt : ranges $($rest:tt)*) => { ranges! { $list $out $($rest)* } };
    ($list:tt $out:tt : conditions $($rest:tt)*) => { conditions! { $list $out $($rest)* } };
    ($list:tt $out:tt : own_ids $($rest:tt)*) => { own_ids! { $list $out $($rest)* } };
    ($list:tt $out:tt : narrow_ids $($rest:tt)*) => { narrow_ids! { $list $out $($rest)* } };
    ($list:tt $out:tt : filtered $($rest:tt)*) => { filtered! { $list $out $($rest)* } };
    ($list:tt $out:tt : creation $($rest:tt)*) => { creation! { $list $out $($rest)* } };
    ($list:tt $out:tt : rows $($rest:tt)*) => { rows! { $list $out $($rest)* } };
    ([$v:tt $f:tt $at:tt $($w:tt)*] $out:tt : at $($rest:tt)*) => { expand! { [$v $f $at $($w)*] $out $at $($rest)* } };
    ([$v:tt $f:tt $a:tt $way:tt $($w:tt)*] $out:tt : way $($rest:tt)*) => {
        expand! { [$v $f $a $way $($w)*] $out $way $($rest)* }
    };
    ([$v:tt $f:tt $a:tt $y:tt $beyond:tt $($w:tt)*] $out:tt : beyond $($rest:tt)*) => {
        expand! { [$v $f $a $y $beyond $($w)*] $out $beyond $($rest)* }
    };
    ([$v:tt $f:tt $a:tt $y:tt $b:tt $within:tt] $out:tt : within $($rest:tt)*) => {
        expand! { [$v $f $a $y $b $within] $out $within $($rest)* }
    };
    ([$v:tt $first:literal $($w:tt)*] [$($out:tt)*] : $bind:ident $($rest:tt)*) => {
        expand! { [$v $first $($w)*] [$($out)* "?", with_parameters!(index! $bind $first),] $($rest)* }
    };
}

macro_rules! index {
    ([$($name:ident),*] $bind:ident $first:literal) => { index_of!($bind in [$($name),*] + $first) };
}

include_sql!("src/areas/issues/lists/lists.sql");

macro_rules! each {
    ($template:ident $whose:expr, $($words:literal)*) => {
        match $whose {
            ListPlace::Project => $template!([in_project 8 $($words)*] []),
            ListPlace::Group => $template!([in_group 8 $($words)*] []),
            ListPlace::Caller => $template!([of_caller 6 $($words)*] []),
            ListPlace::Anywhere => $template!([anywhere 6 $($words)*] []),
        }
    };
}

macro_rules! both_ways {
    ($template:ident $whose:expr, $ascending:expr, $at:literal) => {
        match $ascending {
            true => each!($template $whose, $at "asc" ">" "<="),
            false => each!($template $whose, $at "desc" "<" ">="),
        }
    };
}

fn statement(name: &'static str, text: &'static str, whose: ListPlace, asked: FilterBinds) -> Statement {
    let (scope, begin) = match whose {
        ListPlace::Project => (Scope::Project, pieces::project_scope),
        ListPlace::Group => (Scope::Group, pieces::group_scope),
        ListPlace::Caller | ListPlace::Anywhere => (Scope::Caller, pieces::caller_scope),
    };
    let text = format!("{}{text}", begin);
    Statement { sql: text.into(), name, scope, writes_events: false, binds: asked.binds() }
}

macro_rules! named {
    ($template:ident) => {
        concat!(module_path!(), "::", stringify!($template))
    };
}

pub fn plain(by_update: bool, ascending: bool, asked: FilterBinds) -> Statement {
    let text = match (by_update, ascending) {
        (false, false) => plain!([in_project 8 "created_at" "desc" "<" ">="] []),
        (false, true) => plain!([in_project 8 "created_at" "asc" ">" "<="] []),
        (true, false) => plain!([in_project 8 "updated_at" "desc" "<" ">="] []),
        (true, true) => plain!([in_project 8 "updated_at" "asc" ">" "<="] []),
    };
    statement(named!(plain), text, ListPlace::Project, asked)
}

pub fn by_creation(whose: ListPlace, ascending: bool, asked: FilterBinds) -> Statement {
    statement(named!(by_creation), both_ways!(by_creation whose, ascending, "created_at"), whose, asked)
}

pub fn by_update(whose: ListPlace, ascending: bool, asked: FilterBinds) -> Statement {
    statement(named!(by_update), both_ways!(by_update whose, ascending, "updated_at"), whose, asked)
}

pub fn sorted(whose: ListPlace, asked: FilterBinds) -> Statement {
    statement(named!(sorted), each!(sorted whose, "created_at" "desc" "<" ">="), whose, asked)
}

pub fn by_day(asked: FilterBinds) -> Statement {
    let text = by_day!([in_project 8 "created_at" "desc" "<" ">="] []);
    statement(named!(by_day), text, ListPlace::Project, asked)
}

pub fn count(whose: ListPlace, asked: FilterBinds) -> Statement {
    statement(named!(count), each!(count whose, "created_at" "desc" "<" ">="), whose, asked)
}

pub fn too_wide(whose: ListPlace, asked: FilterBinds) -> Statement {
    statement(named!(too_wide), each!(too_wide whose, "created_at" "desc" "<" ">="), whose, asked)
}
