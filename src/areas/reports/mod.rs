//! Reports of CI on jobs: tests, and findings in files (behaviour 20.1). The program that CI runs reads the files of tools.
//! Here the lines that it sends are checked, counted and stored as the JSON that answers show, so that no view parses
//! them.

pub mod problems;
pub mod receiving;
pub mod v4;
mod writing;

edgeforge_row::statements!(mod sql: "src/areas/reports/reports.sql", "src/areas/reports/problems.sql");
