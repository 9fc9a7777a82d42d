use super::{LONGEST_HEADERS, MOST_BESIDE, find};
use crate::kernel::error::{Error, Result};
use crate::kernel::http::{Body, NoPiece, Pieces};
use std::rc::Rc;

const TYPE: &str = "multipart/form-data; boundary=xXx";

/// A body that arrives in pieces of these lengths, and then the rest.
fn body(bytes: &[u8], lengths: &[usize]) -> Body {
    let mut pieces = Vec::new();
    let mut rest = bytes;
    for length in lengths {
        let (piece, after) = rest.split_at((*length).min(rest.len()));
        pieces.push(Ok(piece.to_vec()));
        rest = after;
    }
    pieces.push(Ok(rest.to_vec()));
    Body::Pieces(Pieces(Rc::new(move || Box::pin(futures_util::stream::iter(pieces.clone())))))
}

async fn read(body: &Body, content_type: &str) -> Result<(String, Vec<u8>)> {
    let (name, mut content) = find(body, Some(content_type), "file").await?;
    let mut bytes = Vec::new();
    loop {
        let piece = content.piece().await?;
        if piece.is_empty() {
            return Ok((name, bytes));
        }
        bytes.extend_from_slice(piece);
        let length = piece.len();
        content.consume(length);
    }
}

fn file(bytes: &[u8], lengths: &[usize]) -> Result<(String, Vec<u8>)> {
    pollster::block_on(read(&body(bytes, lengths), TYPE))
}

fn part(name: &str, content: &[u8]) -> Vec<u8> {
    [b"--xXx\r\nContent-Disposition: form-data; ", name.as_bytes(), b"\r\n\r\n", content, b"\r\n"].concat()
}

fn form(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), b"--xXx--\r\n".to_vec()].concat()
}

/// Beginnings of a boundary, and line ends, in the content.
const TRICKY: &[u8] = b"\r\n\r\n--xX\r\n--\r\r\n--xXX\r\n-\r";

#[test]
fn a_boundary_may_be_split_at_every_byte() {
    let whole = form(&[
        part("name=\"other\"", b"text"),
        part("name=\"file\"; filename=\"a.bin\"", TRICKY),
        part("name=\"more\"", b"x"),
    ]);
    let wanted = ("a.bin".to_owned(), TRICKY.to_vec());
    for at in 0..=whole.len() {
        assert_eq!(file(&whole, &[at]).unwrap(), wanted, "split at {at}");
        assert_eq!(file(&whole, &[at, 1, 1]).unwrap(), wanted, "split at {at} and behind it");
    }
    assert_eq!(file(&whole, &vec![1; whole.len()]).unwrap(), wanted);
    let all = Body::Bytes(whole);
    assert_eq!(pollster::block_on(read(&all, TYPE)).unwrap(), wanted);
}

#[test]
fn an_empty_file_has_no_bytes() {
    let whole = form(&[part("name=\"file\"; filename=\"a\"", b"")]);
    assert_eq!(file(&whole, &[]).unwrap(), ("a".to_owned(), Vec::new()));
}

#[test]
fn what_stands_before_the_first_boundary_is_passed_over() {
    let whole = [b"preamble\r\n".to_vec(), form(&[part("name=\"file\"; filename=\"a\"", b"x")])].concat();
    assert_eq!(file(&whole, &[]).unwrap().1, b"x");
}

#[test]
fn a_form_without_the_file_is_refused() {
    let missing = Err(Error::framework("file is missing"));
    assert_eq!(file(&form(&[part("name=\"other\"; filename=\"a\"", b"x")]), &[]), missing);
    assert_eq!(file(&form(&[]), &[]), missing);
    for content_type in ["", "text/plain", "application/json", "multipart/form-data", "multipart/mixed; boundary=xXx"] {
        let body = body(&form(&[part("name=\"file\"; filename=\"a\"", b"x")]), &[]);
        assert_eq!(pollster::block_on(read(&body, content_type)), missing, "{content_type}");
    }
}

#[test]
fn a_text_instead_of_a_file_is_invalid() {
    let invalid = Err(Error::framework("file is invalid"));
    assert_eq!(file(&form(&[part("name=\"file\"", b"x")]), &[]), invalid);
    assert_eq!(file(&form(&[part("name=file", b"x")]), &[]), invalid);
}

#[test]
fn a_form_that_ends_early_is_refused() {
    let whole = form(&[part("name=\"other\"", b"y"), part("name=\"file\"; filename=\"a\"", TRICKY)]);
    // the closing boundary need not be whole
    let end = whole.len() - "--\r\n".len();
    for length in 0..end {
        let cut = &whole[..length];
        assert!(file(cut, &[]).is_err(), "{}", String::from_utf8_lossy(cut));
    }
    assert!(file(&whole[..end], &[]).is_ok());
    assert!(file(b"no boundary at all", &[]).is_err());
}

#[test]
fn a_client_that_leaves_is_no_end() {
    let whole = form(&[part("name=\"file\"; filename=\"a\"", &[b'x'; 100])]);
    let half = whole[..whole.len() / 2].to_vec();
    let pieces = vec![Ok(half), Err(NoPiece::Broken)];
    let body = Body::Pieces(Pieces(Rc::new(move || Box::pin(futures_util::stream::iter(pieces.clone())))));
    assert!(pollster::block_on(read(&body, TYPE)).is_err());
}

#[test]
fn headers_and_other_fields_have_a_bounded_length() {
    let long = format!("name=\"file\"; filename=\"a\"\r\nX-More: {}", "x".repeat(LONGEST_HEADERS));
    assert!(file(&form(&[part(&long, b"x")]), &[]).is_err());
    let endless = format!("--xXx\r\nContent-Disposition: {}", "x".repeat(10 * LONGEST_HEADERS));
    assert!(file(endless.as_bytes(), &[]).is_err());
    let beside = vec![b'x'; MOST_BESIDE + 1];
    let refused = file(&form(&[part("name=\"other\"", &beside), part("name=\"file\"; filename=\"a\"", b"x")]), &[]);
    assert_eq!(refused, Err(Error::Refused(413, "413 Request Entity Too Large".to_owned())));
    let many: Vec<Vec<u8>> = (0..20_000).map(|_| part("name=\"other\"; more=\"xxxxxxxxxxxxxx\"", b"")).collect();
    assert_eq!(file(&form(&many), &[]).unwrap_err().status(), 413);
    let boundary = "b".repeat(300);
    let body = body(format!("--{boundary}\r\n\r\n").as_bytes(), &[]);
    assert!(pollster::block_on(read(&body, &format!("multipart/form-data; boundary={boundary}"))).is_err());
}

#[test]
fn the_name_of_a_file_is_read_as_clients_write_it() {
    for (sent, name) in [
        ("name=\"file\"; filename=\"a b.txt\"", "a b.txt"),
        ("name=\"file\"; filename=a.txt", "a.txt"),
        ("filename=\"a;name=x\"; name=\"file\"", "a;name=x"),
        ("name=\"file\"; filename=\"a\\\"b\\\\c\"", "a\"b\\c"),
        ("name=\"file\"; filename=\"C:\\dir\\a.txt\"", "C:\\dir\\a.txt"),
        ("name=\"file\"; filename=\"ü.txt\"", "ü.txt"),
        ("name=\"file\"; filename=\"\"", ""),
        ("name=\"file\"; filename=\"x\"; filename*=UTF-8''%C3%BC.txt", "ü.txt"),
        ("name=\"file\"; filename*=utf-8'de'a%20b", "a b"),
        ("NAME=\"file\"; FileName=\"a\"", "a"),
    ] {
        assert_eq!(file(&form(&[part(sent, b"x")]), &[]).unwrap().0, name, "{sent}");
    }
    for sent in ["name=\"file\"; filename=\"a", "name=\"file; filename=\"a\"", "name"] {
        assert!(file(&form(&[part(sent, b"x")]), &[]).is_err(), "{sent}");
    }
    let other =
        b"--xXx\r\ncontent-type: a/b\r\nCONTENT-DISPOSITION:form-data;name=\"file\";filename=\"a\"\r\n\r\nx\r\n--xXx--";
    assert_eq!(file(other, &[]).unwrap(), ("a".to_owned(), b"x".to_vec()));
}
