use super::*;
use crate::kernel::error::Error;
use crate::kernel::params::{Parameters, Patch};
use serde_json::json;

#[derive(Debug, Parameters, PartialEq, Default)]
#[param(default)]
struct Sample {
    number: Option<i64>,
    truth: Option<bool>,
    text: Patch<String>,
    list: Vec<i64>,
    state: Option<State>,
}

#[derive(Debug, Parameters, PartialEq, Clone, Copy)]
enum State {
    Opened,
    Closed,
}

fn read(text: &str, reading: Reading) -> Result<Sample> {
    Params::from_urlencoded(text).unwrap().read(reading)
}

#[test]
fn text_is_read_as_what_the_field_asks_for() {
    let sample = read("number=7&truth=YeS&text=a&list[]=1&list[]=2&state=closed&unknown=x", Reading::Create).unwrap();
    assert_eq!(
        sample,
        Sample {
            number: Some(7),
            truth: Some(true),
            text: Patch::Set("a".into()),
            list: vec![1, 2],
            state: Some(State::Closed)
        }
    );
    assert_eq!(read("list=1,2, 3", Reading::Edit).unwrap().list, [1, 2, 3]);
    assert_eq!(read("list[]=", Reading::Edit).unwrap().list, Vec::<i64>::new());
}

#[test]
fn blank_clears_on_edit_and_is_absent_on_create() {
    assert_eq!(read("text=", Reading::Edit).unwrap().text, Patch::Clear);
    assert_eq!(read("text=", Reading::Create).unwrap().text, Patch::Keep);
}

#[test]
fn all_failing_fields_are_named_at_once() {
    let error = read("number=x&truth=maybe", Reading::Edit).unwrap_err();
    assert_eq!(error, Error::bad_request(json!({"message": {"number": ["is invalid"], "truth": ["is invalid"]}})));
    let error = read("number=x", Reading::Query).unwrap_err();
    assert_eq!(error, Error::framework("number is invalid"));
    let error = read("state=odd", Reading::Query).unwrap_err();
    assert_eq!(error, Error::framework("state does not have a valid value (opened, closed)"));
}

#[derive(Debug, Parameters, PartialEq)]
struct Larger {
    name: String,
    #[param(flatten)]
    sample: Sample,
}

#[test]
fn a_struct_in_a_struct_reads_the_same_request() {
    let larger: Larger = Params::from_urlencoded("name=a&number=7").unwrap().read(Reading::Create).unwrap();
    assert_eq!(larger, Larger { name: "a".into(), sample: Sample { number: Some(7), ..Sample::default() } });
}
