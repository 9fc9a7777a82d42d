use super::MOST;

fn rendered(text: &str) -> String {
    super::rendered(text, None, MOST).unwrap()
}

const LINK: &str = "rel=\"nofollow noreferrer noopener\" target=\"_blank\"";

#[test]
fn markdown_becomes_html() {
    assert_eq!(rendered(""), "");
    assert_eq!(rendered("# A *b*"), "<h1>A <em>b</em></h1>");
    assert_eq!(rendered("~~x~~"), "<p><del>x</del></p>");
    assert_eq!(
        rendered("[a](https://x \"t\")"),
        format!("<p><a href=\"https://x\" title=\"t\" {LINK}>a</a></p>")
    );
    assert!(rendered("|a|\n|-|\n|b|").contains("<td>b</td>"));
    assert!(rendered("* [x] a").contains("type=\"checkbox\" checked"));
}

#[test]
fn uploads_have_the_address_of_their_project() {
    let html = super::rendered(
        "![a](/uploads/1/a.png) [b](/uploads/1/b) [c](/c)",
        Some("https://x/-/project/7"),
        MOST,
    );
    let uploads = "https://x/-/project/7/uploads/1";
    let picture = format!("<img src=\"{uploads}/a.png\" alt=\"a\" />");
    assert_eq!(
        html.unwrap(),
        format!("<p>{picture} <a href=\"{uploads}/b\" {LINK}>b</a> <a href=\"/c\" {LINK}>c</a></p>")
    );
    assert!(rendered("![a](/uploads/1/a.png)").contains("src=\"/uploads/1/a.png\""));
}

#[test]
fn nothing_in_a_text_becomes_markup_of_its_own() {
    for text in [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<svg/onload=alert(1)>",
        "<!-- x --><script>",
        "<a href=\"javascript:alert(1)\">x</a>",
    ] {
        let html = rendered(text);
        let allowed = html.replace("<p>", "").replace("</p>", "");
        assert!(!allowed.contains('<'), "{html}");
    }
    for address in ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "vbscript:x", "file:///etc"] {
        let html = rendered(&format!("[a]({address}) ![b]({address}) <{address}>"));
        assert!(!html.to_lowercase().contains(&format!("\"{}", address.to_lowercase())), "{html}");
    }
    let html = rendered("[a](https://x\"onmouseover=alert(1)) ![x\" onerror=\"y](https://z)");
    assert!(!html.contains("\"onmouseover") && !html.contains("\" onerror"), "{html}");
    for address in ["/a", "a?b", "#c", "mailto:a@b", "ftp://x", "a/b:c"] {
        assert!(rendered(&format!("[a]({address})")).contains(&format!("href=\"{address}\"")), "{address}");
    }
}

#[test]
fn hostile_texts_take_bounded_room() {
    let texts = [
        ">".repeat(100_000),
        "[".repeat(100_000),
        "*a".repeat(50_000),
        "`".repeat(100_000),
        "- ".repeat(50_000),
        "![](".repeat(25_000),
        "<".repeat(100_000),
        format!("|{}\n|{}\n{}", "a|".repeat(2_000), "-|".repeat(2_000), "|b\n".repeat(20_000)),
        format!("[a]: {}\n{}", "x".repeat(10_000), "[a] ".repeat(20_000)),
    ];
    for text in &texts {
        let html = super::rendered(text, None, MOST);
        assert!(html.is_none_or(|html| html.len() <= MOST), "{} bytes", text.len());
    }
    let table = format!("|{}\n|{}\n{}", "a|".repeat(1_000), "-|".repeat(1_000), "|b\n".repeat(1_000));
    let links = "[](a)".repeat(10_000);
    for text in [table, links] {
        assert!(super::rendered(&text, None, MOST).is_none());
    }
}
