use super::*;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn heading(kind: Kind, bytes: &[u8]) -> Heading {
    let mut hash = Hash::new(kind, bytes.len() as u64, "");
    hash.update(bytes);
    Heading { kind, id: hash.finish(), size: bytes.len() as u64 }
}

/// Feeds in pieces of that length. Returns the outcome and the bytes behind the object.
fn prove(heading: Heading, bytes: &[u8], piece: usize) -> Result<(ProvenObject, usize), &'static str> {
    let mut proof = Proof::new(heading, 1 << 20)?;
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes.len().min(at + piece);
        let (used, has_ended) = proof.feed(&bytes[at..end])?;
        at += used;
        if has_ended {
            return Ok((proof.finish()?, bytes.len() - at));
        }
    }
    Err("it ends early")
}

#[test]
fn an_object_is_proven_however_its_bytes_arrive() {
    let texts = ["", "a", "ünï\n"].map(|text| text.repeat(70_000));
    for text in &texts {
        for piece in [1, 7, 1000, 1 << 20] {
            let bytes = [packed(text.as_bytes()).as_slice(), b"tree "].concat();
            let (proven, left) = prove(heading(Kind::Blob, text.as_bytes()), &bytes, piece).unwrap();
            assert_eq!((proven.about.is_text, proven.about.size, left), (true, text.len() as u64, 5));
            assert_eq!(proven.about.sha256, hex(&Sha256::digest(text)));
            assert_eq!(FileFacts::read(&proven.about.write()), Some(proven.about));
        }
    }
}

#[test]
fn what_is_no_utf_8_or_has_a_nul_is_no_text() {
    for bytes in [&b"a\0b"[..], b"\xff", "ü".repeat(40_000).as_bytes().split_last().unwrap().1] {
        let (proven, _) = prove(heading(Kind::Blob, bytes), &packed(bytes), 13).unwrap();
        assert!(!proven.about.is_text);
    }
}

#[test]
fn a_forged_object_is_refused() {
    let of = |bytes: &[u8]| heading(Kind::Blob, bytes);
    let refused = |heading: Heading, bytes: &[u8]| prove(heading, bytes, 64).unwrap_err();
    assert_eq!(refused(of(b"right"), &packed(b"wrong")), "the object has another hash");
    assert_eq!(refused(Heading { kind: Kind::Tree, ..of(b"right") }, &packed(b"right")), "the object has another hash");
    assert_eq!(refused(of(b"right"), &packed(b"righ")), "the object has another size");
    // a bomb ends where it passes its size
    assert_eq!(refused(of(b"right"), &packed(&vec![0; 10 << 20])), "the object has another size");
    assert_eq!(refused(of(b"right"), b"no zlib stream"), "it is no zlib stream");
    assert_eq!(refused(of(b"right"), &packed(b"right")[..8]), "it ends early");
    assert_eq!(refused(Heading { size: 2 << 20, ..of(b"") }, b""), "the object is too long");
    assert_eq!(refused(heading(Kind::Tree, b"x"), &packed(b"x")), "the tree is broken");
    assert_eq!(refused(heading(Kind::Commit, b"x"), &packed(b"x")), "it has no tree");
}

#[test]
fn the_names_of_a_tree_are_those_of_its_readme_and_license() {
    let of = |entries: &[(&str, &[u8])]| {
        let bytes: Vec<u8> =
            entries.iter().flat_map(|(mode, name)| [mode.as_bytes(), b" ", name, b"\0", &[7; 20]].concat()).collect();
        let RootNames { readme, license } = RootNames::of_tree(&bytes, 20)?;
        Some([readme, license].map(Option::unwrap_or_default))
    };
    let file = |name: &str| of(&[("100644", name.as_bytes())]).unwrap();
    for name in ["README", "readme.md", "ReadMe.MarkDown", "readme.rst"] {
        assert_eq!(file(name), [name, ""], "{name}");
    }
    for name in ["LICENSE", "licence.txt", "Copying.LESSER"] {
        assert_eq!(file(name), ["", name], "{name}");
    }
    for name in ["readme.", "readme.md.txt", "areadme", "license-mit", "license.", "license.a-b", "unlicense"] {
        assert_eq!(file(name), ["", ""], "{name}");
    }
    let several = [("40000", &b"license"[..]), ("120000", b"readme"), ("100755", b"readme.md"), ("160000", b"copying")];
    assert_eq!(of(&several).unwrap(), ["readme", ""]);
    assert_eq!(of(&[("100644", b"readme\xff")]).unwrap(), ["", ""]);
    assert_eq!(of(&[("100644", b"a/b")]), None);
}
