//! What can be stored, and the numbers to which it grows.

use super::contents::CONTENTS;
use super::world::Stock;

/// Three to grow by, and two beyond what any read looks at. Where the API refuses more, there are only the three.
const USUAL: &str = "128 256 512 12000 15000";

pub struct Dimension {
    pub name: &'static str,
    pub sizes: Vec<i64>,
    grow: Grow,
}

enum Grow {
    Sql(&'static str),
    Contents(fn(&Stock, i64) -> String),
}

pub fn dimensions() -> Vec<Dimension> {
    let numbers = |sizes: &str| sizes.split(' ').map(|size| size.parse().unwrap()).collect();
    let of_sql = include_str!("dimensions.sql").split("-- ").skip(1).map(|part| {
        let (head, sql) = part.split_once('\n').unwrap();
        let (name, sizes) = head.split_once(": ").unwrap_or((head, USUAL));
        Dimension { name, sizes: numbers(sizes), grow: Grow::Sql(sql) }
    });
    let of_contents = CONTENTS.iter().map(|(name, sizes, grow)| Dimension {
        name,
        sizes: numbers(sizes),
        grow: Grow::Contents(*grow),
    });
    of_sql.chain(of_contents).collect()
}

impl Dimension {
    /// Adds the records behind `before`, up to `size`.
    pub fn fill(&self, stock: &mut Stock, words: &[(&str, String)], before: i64, size: i64) {
        match self.grow {
            Grow::Contents(grow) => stock.path = grow(stock, size),
            Grow::Sql(sql) => {
                let numbers = format!(
                    "with recursive n(n) as (select {before} + 1 union all select n + 1 from n where n < {size})"
                );
                let sql = words.iter().fold(sql.to_owned(), |sql, (word, value)| sql.replace(word, value));
                stock.server().tamper(&format!(
                    "delete from numbers; insert into numbers {numbers} select n from n;
insert into all_numbers select n from numbers; {sql}"
                ));
            }
        }
        stock.server().database().forget();
    }
}
