use super::{Accounts, Refusal};

const BUDGET: i64 = 6000;

#[test]
fn an_account_over_its_budget_waits_until_it_has_drained() {
    let mut accounts = Accounts::default();
    let now = 1_000_000;
    assert_eq!(accounts.begin("a", BUDGET, now), Ok(()));
    accounts.end("a");
    accounts.charge("a", 6500.0, BUDGET, now);
    // a tenth of a millisecond drains in a millisecond
    assert_eq!(accounts.begin("a", BUDGET, now + 1000), Err(Refusal::Spent(4)));
    assert_eq!(accounts.begin("b", BUDGET, now), Ok(()));
    assert_eq!(accounts.begin("a", BUDGET, now + 4999), Err(Refusal::Spent(1)));
    assert_eq!(accounts.begin("a", BUDGET, now + 5001), Ok(()));
}

#[test]
fn after_a_quarter_of_the_budget_two_requests_run_at_a_time() {
    let mut accounts = Accounts::default();
    for _ in 0..20 {
        assert_eq!(accounts.begin("a", BUDGET, 5), Ok(()));
    }
    accounts.charge("a", 1600.0, BUDGET, 5);
    assert_eq!(accounts.begin("a", BUDGET, 5), Err(Refusal::AtOnce(1)));
    for _ in 0..19 {
        accounts.end("a");
    }
    assert_eq!(accounts.begin("a", BUDGET, 5), Ok(()));
    assert_eq!(accounts.begin("a", BUDGET, 5), Err(Refusal::AtOnce(1)));
    // requests whose clients left are forgotten
    accounts.charge("a", 5900.0, BUDGET, 40_000);
    assert_eq!(accounts.begin("a", BUDGET, 60_000), Ok(()));
}

#[test]
fn ten_thousand_accounts_are_kept_and_those_that_spent_nothing_go_first() {
    let mut accounts = Accounts::default();
    accounts.charge("a", 50_000.0, BUDGET, 0);
    for number in 0..20_000 {
        assert_eq!(accounts.begin(&number.to_string(), BUDGET, 1), Ok(()));
    }
    assert!(accounts.0.len() <= 10_000);
    assert!(matches!(accounts.begin("a", BUDGET, 1), Err(Refusal::Spent(_))));
}

#[test]
fn costs_of_many_owners_open_no_more_accounts() {
    let mut accounts = Accounts::default();
    for number in 0..20_000 {
        accounts.charge(&number.to_string(), 1.0, BUDGET, 1);
    }
    assert!(accounts.0.len() <= 10_000);
}
