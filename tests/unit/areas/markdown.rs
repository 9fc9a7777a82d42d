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
    assert_eq!(rendered("[a](https://x \"t\")"), format!("<p><a href=\"https://x\" title=\"t\" {LINK}>a</a></p>"));
    assert!(rendered("|a|\n|-|\n|b|").contains("<td>b</td>"));
    assert!(rendered("* [x] a").contains("type=\"checkbox\" checked"));
}

#[test]
fn an_address_in_a_text_is_a_link() {
    let link = |address: &str| format!("<a href=\"{address}\" {LINK}>{address}</a>");
    for (text, html) in [
        ("https://x/a", link("https://x/a")),
        ("see http://x/a_b_c?d=1.", format!("see {}.", link("http://x/a_b_c?d=1"))),
        ("(ftp://x/a), HTTPS://y", format!("({}), {}", link("ftp://x/a"), link("HTTPS://y"))),
        ("(https://x/a_(b)) c", format!("({}) c", link("https://x/a_(b)"))),
        ("https://x/?a=1&b=\"", link("https://x/?a=1&amp;b=") + "\""),
        ("ä https://x/ö ü", format!("ä {} ü", link("https://x/ö"))),
        ("https://", "https://".to_owned()),
        ("xhttps://y javascript://y https:x", "xhttps://y javascript://y https:x".to_owned()),
        ("`https://x`", "<code>https://x</code>".to_owned()),
    ] {
        assert_eq!(rendered(text), format!("<p>{html}</p>"), "{text}");
    }
    assert_eq!(rendered("    https://x"), "<pre><code>https://x\n</code></pre>".replace("\n<", "<"));
    let named = format!("<p><a href=\"https://x\" {LINK}>to https://y</a></p>");
    assert_eq!(rendered("[to https://y](https://x)"), named);
    assert_eq!(rendered("<https://x>"), format!("<p>{}</p>", link("https://x")));
    assert!(rendered("![https://x](/y)").contains("alt=\"https://x\""));
    assert_eq!(rendered("<b>https://x</b>"), "<p>&lt;b&gt;".to_owned() + &link("https://x") + "&lt;/b&gt;</p>");
    let many = "https://x ".repeat(50_000);
    assert!(super::rendered(&many, None, MOST).is_none());
    let closed = format!("https://x{}", ")".repeat(400_000));
    assert!(super::rendered(&closed, None, MOST).unwrap().contains("href=\"https://x\""));
}

#[test]
fn uploads_have_the_address_of_their_project() {
    let html = super::rendered("![a](/uploads/1/a.png) [b](/uploads/1/b) [c](/c)", Some("https://x/-/project/7"), MOST);
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
fn a_quotation_with_a_mark_is_an_alert() {
    let alert = |name: &str, title: &str| {
        format!(
            "<div class=\"markdown-alert markdown-alert-{name}\">\n<p class=\"markdown-alert-title\">{title}</p>\n<p>a <em>b</em></p>\n</div>"
        )
    };
    for title in ["Note", "Tip", "Important", "Warning", "Caution"] {
        let name = title.to_lowercase();
        assert_eq!(rendered(&format!("> [!{}]\n> a *b*", title.to_uppercase())), alert(&name, title));
    }
    for text in ["> [!OTHER]\n> a", "> a\n> [!NOTE]", "[!NOTE]\na"] {
        assert!(!rendered(text).contains("class="), "{text}");
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
