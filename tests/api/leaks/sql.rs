//! Random worlds as SQL.

/// A value as SQL. Texts here contain no quotes.
pub trait Literal {
    fn literal(&self) -> String;
}
impl Literal for i64 {
    fn literal(&self) -> String {
        self.to_string()
    }
}
impl Literal for bool {
    fn literal(&self) -> String {
        i64::from(*self).to_string()
    }
}
impl Literal for &str {
    fn literal(&self) -> String {
        format!("'{self}'")
    }
}
impl Literal for String {
    fn literal(&self) -> String {
        self.as_str().literal()
    }
}
impl<T: Literal> Literal for Option<T> {
    fn literal(&self) -> String {
        self.as_ref().map_or("null".to_owned(), Literal::literal)
    }
}

/// `add!(world, "table (columns)", values ..)`
macro_rules! add {
    ($world:expr, $into:literal, $($value:expr),+ $(,)?) => {{
        let values = [$(Literal::literal(&$value)),+].join(", ");
        writeln!($world.sql, "insert into {} values ({values});", $into).unwrap();
    }};
}
pub(super) use add;
