//! Answers that clients do not read. Only a runtime has such clients.

use crate::support::contents::{blob, tree};
use crate::support::{Visibility, World, spec};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

/// A request by a visitor who reads the status and nothing else.
fn unread(path: &str, address: &str) -> (String, TcpStream) {
    let host = spec().origin.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nCF-Connecting-IP: {address}\r\n\r\n").unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).unwrap();
    (String::from_utf8_lossy(&status[9..]).into_owned(), stream)
}

#[test]
fn a_visitor_who_does_not_read_gives_way_to_another_one() {
    if spec().is_in_process() {
        return;
    }
    let world = World::new(spec(), Visibility::Public);
    // longer than what waits in the sockets
    let long = blob(vec![0; 40 << 20]);
    let root = tree(&[("100644", b"a", long.id())]);
    world.push_tree(&root, &[root.clone(), long]);
    let path = format!("/api/v4/projects/{}/repository/files/a/raw?ref=master", world.project.id);
    let held = ["198.51.100.1", "198.51.100.2"].map(|address| unread(&path, address));
    assert_eq!(held.each_ref().map(|(status, _)| status.as_str()), ["200", "200"]);
    assert_eq!(unread(&path, "198.51.100.3").0, "429", "both are young");
    sleep(Duration::from_secs(4));
    assert_eq!(unread(&path, "198.51.100.3").0, "200");
}
