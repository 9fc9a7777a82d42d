use super::{alt, headers, is_image, markdown};

#[test]
fn what_a_browser_could_run_is_saved_as_bytes() {
    for name in
        ["a.svg", "a.html", "a.HTM", "a.xml", "a.js", "a.png.html", "a.css", "a", ".png", "a.", "a.xhtml", "a.swf"]
    {
        let shown = headers(name);
        assert_eq!(shown.content_type, "application/octet-stream", "{name}");
        assert!(shown.disposition.starts_with("attachment; filename=\""), "{name}: {}", shown.disposition);
    }
}

#[test]
fn images_videos_and_audio_are_shown_inline() {
    for (name, kind) in [
        ("a.png", "image/png"),
        ("a.JPEG", "image/jpeg"),
        ("a.b.ico", "image/x-icon"),
        ("a.webp", "image/webp"),
        ("a.mov", "video/quicktime"),
        ("a.spx", "audio/ogg"),
        ("a.flac", "audio/flac"),
    ] {
        let shown = headers(name);
        assert_eq!((shown.content_type, shown.disposition.as_str()), (kind, "inline"), "{name}");
    }
    for (name, kind) in
        [("a.pdf", "application/pdf"), ("a.md", "text/plain; charset=utf-8"), ("a.patch", "text/plain; charset=utf-8")]
    {
        let shown = headers(name);
        assert_eq!(shown.content_type, kind);
        assert_eq!(shown.disposition, format!("attachment; filename=\"{name}\"; filename*=UTF-8''{name}"));
    }
}

#[test]
fn a_link_shows_what_can_be_shown() {
    for (name, link) in [
        ("dk.png", "![dk](/u)"),
        ("a.b.MP4", "![a.b](/u)"),
        ("a.svg", "![a.svg](/u)"),
        ("a.tar.gz", "[a.tar.gz](/u)"),
        ("png", "[png](/u)"),
        ("a]b.txt", "[a\\]b.txt](/u)"),
    ] {
        assert_eq!(markdown(name, "/u"), link);
    }
    assert_eq!((alt("dk.png"), alt("a.svg"), alt("a.pdf")), ("dk", "a.svg", "a.pdf"));
    assert!(is_image("a.svg") && is_image("a.png") && !is_image("a.mp4") && !is_image("a.pdf"));
}
