use super::*;

#[test]
fn progress_has_a_rate_and_an_estimate() {
    assert_eq!(thousands(0), "0");
    assert_eq!(thousands(61_000), "61,000");
    assert_eq!(thousands(1_234_567), "1,234,567");
    let console = Console::new(false, true);
    let pace = Pace::new(0);
    let mut progress = Progress::new(&console, &pace, "issues", 10_000);
    progress.done = 4200;
    let line = progress.line(43_310, Duration::from_secs(610));
    assert_eq!(line, "issues 4,200 of 10,000 (42 %), 71 requests/s, about 14 min left");
}
