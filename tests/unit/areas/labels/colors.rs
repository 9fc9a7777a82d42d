use super::*;

#[test]
fn a_color_is_a_name_or_three_or_six_digits() {
    for (color, expected) in [("#abC", "#abC"), ("#428bca", "#428bca"), ("Red", "#FF0000"), ("tan", "#D2B48C")] {
        assert_eq!(kept(color).as_deref(), Some(expected), "{color}");
    }
    for bad in ["", "#", "#12", "#12345g", "reddish", "428BCA", "red#ff0000"] {
        assert_eq!(kept(bad), None, "{bad}");
    }
}
