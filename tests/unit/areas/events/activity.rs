use super::{MOST_PUSHES, pushes};
use crate::areas::events::RefMove;
use serde_json::json;

fn moved(name: &str, old: Option<&str>, new: Option<&str>) -> RefMove {
    let [old, new] = [old, new].map(|sha| sha.map(str::to_owned));
    RefMove {
        name: name.to_owned(),
        old,
        new,
        tag_sha: None,
        old_tag_sha: None,
        message: None,
        newest: None,
        total: Some(5),
    }
}

#[test]
fn each_of_few_refs_is_an_event_and_more_of_one_kind_and_deed_are_one_together() {
    let few = [moved("refs/heads/a/b", Some("1"), Some("2")), moved("refs/tags/v1", None, Some("3"))];
    assert_eq!(
        pushes(&few),
        [
            json!({ "commit_count": 5, "action": "pushed", "ref_type": "branch", "commit_from": "1", "commit_to": "2", "ref": "a/b", "ref_count": null }),
            json!({ "commit_count": 1, "action": "created", "ref_type": "tag", "commit_from": null, "commit_to": "3", "ref": "v1", "ref_count": null }),
        ]
    );
    let name = |number: usize| format!("refs/heads/{number}");
    let many: Vec<RefMove> = (0..=MOST_PUSHES).map(|number| moved(&name(number), Some("1"), None)).collect();
    let together = json!({ "commit_count": 0, "action": "removed", "ref_type": "branch", "ref_count": 4 });
    assert_eq!(pushes(&many), [together]);
    assert_eq!(pushes(&many[1..]).len(), MOST_PUSHES);
}
