//! The cost of requests, and how many a caller may make.

mod answers;
mod bounds;
mod budgets;
mod growth;
mod quotas;
mod rate_limits;
