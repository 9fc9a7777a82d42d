use super::{Accounts, READ, Refusal, WRITE};

const BUDGET: i64 = 6000;

#[test]
fn an_account_over_its_budget_waits_until_it_has_drained() {
    let mut accounts = Accounts::default();
    let now = 1_000_000;
    assert_eq!(accounts.begin("a", READ, BUDGET, now), Ok(()));
    accounts.end("a", READ);
    accounts.charge("a", 6500.0, BUDGET, now);
    // a tenth of a millisecond drains in a millisecond
    assert_eq!(accounts.begin("a", READ, BUDGET, now + 1000), Err(Refusal::Spent(4)));
    assert_eq!(accounts.begin("b", READ, BUDGET, now), Ok(()));
    assert_eq!(accounts.begin("a", READ, BUDGET, now + 4999), Err(Refusal::Spent(1)));
    assert_eq!(accounts.begin("a", READ, BUDGET, now + 5001), Ok(()));
}

#[test]
fn after_a_quarter_of_the_budget_two_requests_run_at_a_time() {
    let mut accounts = Accounts::default();
    for _ in 0..10 {
        assert_eq!(accounts.begin("a", READ, BUDGET, 5), Ok(()));
    }
    accounts.charge("a", 1600.0, BUDGET, 5);
    assert_eq!(accounts.begin("a", READ, BUDGET, 5), Err(Refusal::AtOnce(1)));
    for _ in 0..9 {
        accounts.end("a", READ);
    }
    assert_eq!(accounts.begin("a", READ, BUDGET, 5), Ok(()));
    assert_eq!(accounts.begin("a", READ, BUDGET, 5), Err(Refusal::AtOnce(1)));
    // requests whose clients left are forgotten
    accounts.charge("a", 5900.0, BUDGET, 40_000);
    assert_eq!(accounts.begin("a", READ, BUDGET, 60_000), Ok(()));
}

#[test]
fn requests_that_still_run_count_what_they_are_expected_to_cost() {
    let mut accounts = Accounts::default();
    let entered = (0..40).filter(|_| accounts.begin("a", READ, BUDGET, 5).is_ok()).count();
    assert_eq!(entered, 15);
    let entered = (0..90).filter(|_| accounts.begin("b", WRITE, BUDGET, 5).is_ok()).count();
    assert_eq!(entered, 75);
    // an end gives the place back, and the cost stays
    accounts.end("a", READ);
    accounts.charge("a", 3.0, BUDGET, 5);
    assert_eq!(accounts.begin("a", READ, BUDGET, 5), Ok(()));
    assert_eq!(accounts.begin("a", READ, BUDGET, 5), Err(Refusal::AtOnce(1)));
}

#[test]
fn unknown_tokens_enter_two_at_a_time_where_their_address_has_spent_too_much() {
    let mut accounts = Accounts::default();
    accounts.charge("a", 50_000.0, BUDGET, 5);
    assert!(matches!(accounts.begin("a", READ, BUDGET, 5), Err(Refusal::Spent(_))));
    let entered = (0..40).filter(|_| accounts.begin_unknown("a", READ, BUDGET, 5).is_ok()).count();
    assert_eq!(entered, 2);
}

#[test]
fn ten_thousand_debts_make_room_and_the_greatest_stays() {
    let mut accounts = Accounts::default();
    accounts.charge("a", 50_000.0, BUDGET, 0);
    for number in 0..20_000 {
        accounts.charge(&number.to_string(), 1.0, BUDGET, 0);
    }
    assert!(matches!(accounts.begin("a", READ, BUDGET, 1), Err(Refusal::Spent(_))));
}

#[test]
fn ten_thousand_accounts_are_kept_and_those_that_spent_nothing_go_first() {
    let mut accounts = Accounts::default();
    accounts.charge("a", 50_000.0, BUDGET, 0);
    for number in 0..20_000 {
        assert_eq!(accounts.begin(&number.to_string(), READ, BUDGET, 1), Ok(()));
    }
    assert!(accounts.0.len() <= 10_000);
    assert!(matches!(accounts.begin("a", READ, BUDGET, 1), Err(Refusal::Spent(_))));
}

#[test]
fn costs_of_many_owners_open_no_more_accounts() {
    let mut accounts = Accounts::default();
    for number in 0..20_000 {
        accounts.charge(&number.to_string(), 1.0, BUDGET, 1);
    }
    assert!(accounts.0.len() <= 10_000);
}
