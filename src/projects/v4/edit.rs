//! Projects made, changed and ended in v4.
