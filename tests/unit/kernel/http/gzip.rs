use super::*;
use flate2::read::GzDecoder;
use std::io::Read;

/// Packs a body that is given in pieces of so many bytes.
fn packed(body: &[u8], piece: usize) -> Vec<u8> {
    let mut gzip = Gzip::default();
    let mut packed: Vec<u8> = body.chunks(piece).flat_map(|piece| gzip.pack(piece).unwrap()).collect();
    packed.extend(gzip.finish().unwrap());
    packed
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut body).unwrap();
    body
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn a_body_is_the_same_after_unpacking_in_pieces_of_any_length() {
    let body = [vec![0; 300_000], noise(300_000), b"a line of text\n".repeat(20_000)].concat();
    for piece in [511, 4_096, 65_536, body.len()] {
        assert!(unpacked(&packed(&body, piece)) == body, "{piece}");
    }
    assert!(unpacked(&packed(&[], 1)).is_empty());
}

#[test]
fn eight_mib_are_sent_packed_and_what_follows_is_stored() {
    let most = MOST_PACKED as usize;
    let long = vec![b'x'; 3 * most];
    assert!(packed(&long, 65_536).len() < most / 100);
    let noise = noise(most);
    let body = [&noise[..], &long, &noise[..1_000_000]].concat();
    let sent = packed(&body, 65_536);
    assert!((body.len()..body.len() * 1_001 / 1_000).contains(&sent.len()), "{}", sent.len());
    assert!(unpacked(&sent) == body);
}

/// Unpacks a body that arrives in pieces of so many bytes.
fn arrived(packed: &[u8], piece: usize, most: usize) -> Result<Vec<u8>, Unpackable> {
    let mut body = Gunzip::new(most);
    packed.chunks(piece).try_for_each(|piece| body.add(piece).map(drop))?;
    body.finish()
}

#[test]
fn a_packed_body_is_unpacked_up_to_its_limit() {
    let body = [noise(100_000), vec![0; 900_000]].concat();
    let sent = packed(&body, body.len());
    for piece in [1, 1_000, sent.len()] {
        assert_eq!(arrived(&sent, piece, body.len()).as_ref(), Ok(&body), "{piece}");
        assert_eq!(arrived(&sent, piece, body.len() - 1), Err(Unpackable::TooLarge), "{piece}");
    }
    // a gigabyte of zeros is never unpacked
    let zeros = packed(&vec![0; 64 << 20], 1 << 20);
    let mut bomb = Gunzip::new(1 << 20);
    assert_eq!(bomb.add(&zeros), Err(Unpackable::TooLarge));
    assert!(bomb.body.capacity() <= 4 << 20, "{}", bomb.body.capacity());
}

#[test]
fn a_body_that_is_not_one_whole_stream_is_broken() {
    let sent = packed(b"text", 4);
    let more = [&sent[..], b"x"].concat();
    let mut other = sent.clone();
    *other.last_mut().unwrap() ^= 1;
    for broken in [&sent[..sent.len() - 1], &more, &other, &[], b"no gzip at all, but text"] {
        assert_eq!(arrived(broken, 7, 1 << 20), Err(Unpackable::Broken));
    }
    // blocks without bytes have no end
    let head = [&HEAD[..], &[0, 0, 0, 255, 255].repeat(10_000)].concat();
    assert_eq!(arrived(&head, 4_096, 40_000), Err(Unpackable::TooLarge));
}
