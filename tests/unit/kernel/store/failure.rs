use super::*;

#[test]
fn an_error_is_known_by_what_d1_says() {
    let interruptions = [
        "D1_ERROR: Network connection lost.",
        "D1_ERROR: D1 DB reset because its code was updated.",
        "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
        "D1_ERROR: Internal error in D1 DB storage caused object to be reset; reference = 8t4d",
        "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
        "D1_ERROR: Error: internal error; reference = 0123456789abcdefghijklmn",
        "D1_ERROR: Failed to parse body as JSON, got: error code: 1031",
    ];
    for text in interruptions {
        assert_eq!(Failure::from_d1(text), Failure::Interrupted(text.to_owned()));
    }
    let overloads = [
        "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
        "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
        "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
        "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
        "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
        "D1_ERROR: database is locked: SQLITE_BUSY",
    ];
    for text in overloads {
        assert_eq!(Failure::from_d1(text), Failure::Overloaded(text.to_owned()));
    }
    let refused = "D1_ERROR: UNIQUE constraint failed: a.b: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)";
    assert_eq!(Failure::from_d1(refused), Failure::Constraint(refused.to_owned()));
    let unmigrated = [
        "D1_ERROR: no such table: callers: SQLITE_ERROR",
        "D1_ERROR: no such column: p.autoclose at offset 94: SQLITE_ERROR",
        "D1_ERROR: table storage has no column named contents: SQLITE_ERROR",
    ];
    for text in unmigrated {
        assert_eq!(Failure::from_d1(text), Failure::Unmigrated(text.to_owned()));
    }
    let broken = "D1_ERROR: near \"selct\": syntax error at offset 0: SQLITE_ERROR";
    assert_eq!(Failure::from_d1(broken), Failure::Other(broken.to_owned()));
}
