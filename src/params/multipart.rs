//! `multipart/form-data` as RFC 7578 has it, of a body that is there as a whole.

/// RFC 2046 allows no longer one.
const LONGEST_BOUNDARY: usize = 70;

/// Name and content of each part that has a name; none: the body is not what its type says.
pub fn parts<'a>(content_type: &str, body: &'a [u8]) -> Option<Vec<(String, &'a [u8])>> {
    let boundary = parameter(content_type, "boundary")?;
    if boundary.is_empty() || boundary.len() > LONGEST_BOUNDARY {
        return None;
    }
    let first = format!("--{boundary}");
    let next = format!("\r\n{first}");
    let mut left = match body.strip_prefix(first.as_bytes()) {
        Some(left) => left,
        None => split(body, next.as_bytes())?.1,
    };
    let mut parts = Vec::new();
    loop {
        // behind the last part two hyphens, behind any other the end of the line; blanks may stand before it
        if left.starts_with(b"--") {
            return Some(parts);
        }
        let (padding, part) = split(left, b"\r\n")?;
        if !padding.iter().all(|byte| b" \t".contains(byte)) {
            return None;
        }
        let (head, rest) = match part.strip_prefix(b"\r\n") {
            Some(rest) => (&[][..], rest),
            None => split(part, b"\r\n\r\n")?,
        };
        let (content, rest) = match rest.strip_prefix(first.as_bytes()) {
            Some(rest) => (&[][..], rest),
            None => split(rest, next.as_bytes())?,
        };
        left = rest;
        parts.extend(name(head)?.map(|name| (name, content)));
    }
}

/// The name in a part's headers, if there is one; the outer none: they are no headers.
fn name(head: &[u8]) -> Option<Option<String>> {
    let mut name = None;
    for line in std::str::from_utf8(head).ok()?.split("\r\n").filter(|line| !line.is_empty()) {
        let (header, value) = line.split_once(':')?;
        if header.trim().eq_ignore_ascii_case("content-disposition") {
            name = parameter(value, "name");
        }
    }
    Some(name)
}

/// A parameter of a header: `type; first=value; second="another \"value\""`.
fn parameter(header: &str, wanted: &str) -> Option<String> {
    let mut left = header.split_once(';')?.1;
    loop {
        let (key, rest) = left.split_once('=')?;
        let (value, rest) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => unquoted(quoted)?,
            None => {
                let (value, rest) = rest.split_once(';').unwrap_or((rest, ""));
                (value.trim().to_owned(), rest)
            }
        };
        if key.trim().trim_start_matches([';', ' ']).eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        left = rest;
    }
}

/// The text up to the closing quote, and what follows it. A backslash takes the next character as it is.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, text.get(at + 1..)?)),
            '\\' => value.push(letters.next()?.1),
            _ => value.push(letter),
        }
    }
    None
}

/// What stands before the first `mark`, and what behind it.
fn split<'a>(text: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    Some((text.get(..at)?, text.get(at + mark.len()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content_type: &str, body: &str) -> Option<Vec<(String, String)>> {
        let text = |(name, content): (String, &[u8])| (name, String::from_utf8(content.to_vec()).unwrap());
        Some(parts(content_type, body.as_bytes())?.into_iter().map(text).collect())
    }

    #[test]
    fn each_named_part_is_a_name_and_its_content() {
        let body = "preamble\r\n--b \r\ncontent-disposition: form-data; name=\"a\\\"; é\"\r\nX-Other: 1\r\n\r\none\r\n--two\r\n\
            --b\r\nContent-Disposition: form-data; filename=\"name=x\"; name=b\r\n\r\n\r\n--b\r\n\r\nno name\r\n--b--\r\nepilogue";
        let found =
            [("a\"; é", "one\r\n--two"), ("b", "")].map(|(name, text)| (name.to_owned(), text.to_owned()));
        for content_type in
            ["multipart/form-data; boundary=b", "multipart/form-data; charset=x; Boundary=\"b\"; more=1"]
        {
            assert_eq!(read(content_type, body), Some(found.to_vec()), "{content_type}");
        }
        assert_eq!(read("multipart/form-data; boundary=b", "--b--"), Some(Vec::new()));
    }

    #[test]
    fn what_is_cut_off_or_has_no_boundary_is_refused() {
        let whole = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b--";
        assert!(read("multipart/form-data; boundary=b", whole).is_some());
        for end in 0..whole.len() {
            assert_eq!(read("multipart/form-data; boundary=b", whole.get(..end).unwrap()), None, "{end}");
        }
        for content_type in
            ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"b"]
        {
            assert_eq!(read(content_type, whole), None, "{content_type}");
        }
        let long = "b".repeat(LONGEST_BOUNDARY + 1);
        assert_eq!(
            read(
                &format!("multipart/form-data; boundary={long}"),
                &whole.replace("--b", &format!("--{long}"))
            ),
            None
        );
        for broken in ["--bx\r\n\r\n\r\n--b--", "--b\r\nno header\r\n\r\n\r\n--b--"] {
            assert_eq!(read("multipart/form-data; boundary=b", broken), None, "{broken}");
        }
    }
}
