use super::*;

#[test]
fn text_is_dark_on_light_colors() {
    for (color, text) in [("#428BCA", "#FFFFFF"), ("#FFF", "#1F1E24"), ("#000000", "#FFFFFF")] {
        assert_eq!(text_color(color), text, "{color}");
    }
}
