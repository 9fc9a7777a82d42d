//! Statements with the types of their rows: a tuple of statements is answered by a tuple of rows.

use super::failure::Failure;
use super::statement::{Rows, Statement};

/// The answers of a batch that have not been read yet.
pub struct Answers(std::vec::IntoIter<Rows>);

impl Answers {
    /// The rows of the next statement, none if the batch was not sent.
    pub fn next_rows(&mut self) -> Rows {
        self.0.next().unwrap_or_default()
    }

    /// The rows of the last statement that returned some.
    pub fn last_rows(self) -> Rows {
        self.0.rev().find(|rows| !rows.is_empty()).unwrap_or_default()
    }
}

impl From<Vec<Rows>> for Answers {
    fn from(rows: Vec<Rows>) -> Answers {
        Answers(rows.into_iter())
    }
}

/// One statement, or several that are sent together: a tuple, a list or an option.
pub trait Query {
    /// What the rows are read into.
    type Answer;
    /// What of it was sent, by which the answers are read.
    type Sent;

    fn add_to(self, batch: &mut Vec<Statement>) -> Self::Sent;
    fn read(sent: Self::Sent, answers: &mut Answers) -> Result<Self::Answer, Failure>;

    /// The same query, which no longer borrows what it was made from.
    fn prepare(self) -> PreparedQuery<Self::Answer>
    where
        Self: Sized,
        Self::Sent: 'static,
        Self::Answer: 'static,
    {
        let mut statements = Vec::new();
        let sent = self.add_to(&mut statements);
        PreparedQuery { statements, read: Box::new(|answers| Self::read(sent, answers)) }
    }
}

type Reader<A> = Box<dyn FnOnce(&mut Answers) -> Result<A, Failure>>;

/// A query for the answer `A`, for functions that return one.
pub struct PreparedQuery<A> {
    statements: Vec<Statement>,
    read: Reader<A>,
}

impl<A> Query for PreparedQuery<A> {
    type Answer = A;
    type Sent = Reader<A>;

    fn add_to(mut self, batch: &mut Vec<Statement>) -> Reader<A> {
        batch.append(&mut self.statements);
        self.read
    }

    fn read(read: Reader<A>, answers: &mut Answers) -> Result<A, Failure> {
        read(answers)
    }
}

/// For a statement whose rows are read elsewhere.
impl Query for Statement {
    type Answer = Rows;
    type Sent = ();

    fn add_to(self, batch: &mut Vec<Statement>) {
        batch.push(self);
    }

    fn read((): (), answers: &mut Answers) -> Result<Rows, Failure> {
        Ok(answers.next_rows())
    }
}

impl<Q: Query> Query for Option<Q> {
    type Answer = Option<Q::Answer>;
    type Sent = Option<Q::Sent>;

    fn add_to(self, batch: &mut Vec<Statement>) -> Self::Sent {
        self.map(|query| query.add_to(batch))
    }

    fn read(sent: Self::Sent, answers: &mut Answers) -> Result<Self::Answer, Failure> {
        sent.map(|sent| Q::read(sent, answers)).transpose()
    }
}

impl<Q: Query, const N: usize> Query for [Q; N] {
    type Answer = Vec<Q::Answer>;
    type Sent = Vec<Q::Sent>;

    fn add_to(self, batch: &mut Vec<Statement>) -> Self::Sent {
        Vec::from(self).add_to(batch)
    }

    fn read(sent: Self::Sent, answers: &mut Answers) -> Result<Self::Answer, Failure> {
        Vec::<Q>::read(sent, answers)
    }
}

impl<Q: Query> Query for Vec<Q> {
    type Answer = Vec<Q::Answer>;
    type Sent = Vec<Q::Sent>;

    fn add_to(self, batch: &mut Vec<Statement>) -> Self::Sent {
        self.into_iter().map(|query| query.add_to(batch)).collect()
    }

    fn read(sent: Self::Sent, answers: &mut Answers) -> Result<Self::Answer, Failure> {
        sent.into_iter().map(|sent| Q::read(sent, answers)).collect()
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)+) => {$(
        #[allow(non_snake_case, unused_variables)]
        impl<$($name: Query),*> Query for ($($name,)*) {
            type Answer = ($($name::Answer,)*);
            type Sent = ($($name::Sent,)*);

            fn add_to(self, batch: &mut Vec<Statement>) -> Self::Sent {
                let ($($name,)*) = self;
                #[allow(clippy::unused_unit)]
                { ($($name.add_to(batch),)*) }
            }

            fn read(sent: Self::Sent, answers: &mut Answers) -> Result<Self::Answer, Failure> {
                let ($($name,)*) = sent;
                Ok(($($name::read($name, answers)?,)*))
            }
        }
    )+};
}

tuples! { ; A; A B; A B C; A B C D; A B C D E; A B C D E F; }
