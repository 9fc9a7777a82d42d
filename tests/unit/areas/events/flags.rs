use super::*;
use crate::areas::events::sql;

#[test]
fn the_bits_of_statements_are_those_of_the_kinds() {
    for (piece, name) in [
        (sql::push_bit, "push_events"),
        (sql::tag_push_bit, "tag_push_events"),
        (sql::issues_bit, "issues_events"),
        (sql::confidential_issues_bit, "confidential_issues_events"),
        (sql::note_bit, "note_events"),
        (sql::confidential_note_bit, "confidential_note_events"),
        (sql::pipeline_bit, "pipeline_events"),
        (sql::deployment_bit, "deployment_events"),
        (sql::releases_bit, "releases_events"),
        (sql::milestone_bit, "milestone_events"),
        (sql::emoji_bit, "emoji_events"),
        (sql::resource_access_token_bit, "resource_access_token_events"),
    ] {
        let kind = KINDS.iter().find(|kind| kind.name == name).unwrap();
        assert_eq!(piece.text(), kind.bit.to_string(), "{name}");
    }
}
