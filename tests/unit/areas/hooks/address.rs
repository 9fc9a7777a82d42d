use super::*;

const OWN: [&str; 2] = ["forge.example.com", "edgeforge.acme.workers.dev"];

fn is_good(text: &str) -> bool {
    Address::read(text).is_some_and(|address| address.refusal(&OWN).is_none())
}

#[test]
fn a_hook_may_have_a_public_address() {
    for good in [
        "http://hooks.example.org",
        "https://hooks.example.org:8443/a/b?c=d%20e",
        "HTTPS://Hooks.Example.ORG/",
        "https://ann:s3cret@hooks.example.org/x",
        "http://8.8.8.8/",
        "http://134744072/",
        "http://0x08.8.8.8/",
        "http://[2a00:1450:4001::200e]:80/",
        "https://xn--bcher-kva.example/",
        "https://a.workers.dev.example.org/",
        "https://hooks.other.workers.dev/",
    ] {
        assert!(is_good(good), "{good}");
    }
}

#[test]
fn an_address_of_a_private_place_is_refused_in_any_spelling() {
    for bad in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.0.0.1./",
        "http://0/",
        "http://0.0.0.0/",
        "http://10.1.2.3/",
        "http://172.16.0.1/",
        "http://192.168.0.1/",
        "http://169.254.169.254/",
        "http://100.64.0.1/",
        "http://198.18.0.1/",
        "http://192.0.2.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://08.1.1.1/",
        "http://0x/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:8.8.8.8]/",
        "http://[0:0:0:0:0:ffff:7f00:1]/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://[fd12::1]/",
        "http://[ff02::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:db8::1]/",
        "http://[2001::1]/",
        "http://[fe80::1%25eth0]/",
        "http://localhost/",
        "http://LOCALHOST/",
        "http://a.localhost/",
        "http://printer.local/",
        "http://db.internal/",
        "http://localhost./",
        "http://intranet/",
        "http://metadata.google.internal/",
    ] {
        assert!(!is_good(bad), "{bad}");
    }
}

#[test]
fn an_address_of_another_form_is_refused() {
    for bad in [
        "",
        "hooks.example.org",
        "ftp://hooks.example.org",
        "http:/hooks.example.org",
        "http://",
        "http:///x",
        "http://a b.example.org",
        "http://hooks.example.org/#x",
        "http://hooks.example.org\\@localhost/",
        "http://hooks.example.org/\nx",
        "http://hooks.example.org:x/",
        "http://hooks.example.org:/x:y@localhost:99999",
        "http://hooks.example.org:25/",
        "http://hooks.example.org:465/",
        "http://hooks.example.org:587/",
        "http://hooks.example.org:0/",
        "http://１２７.0.0.1/",
        "http://ⓛocalhost.example/",
        "http://%31%32%37.0.0.1/",
        "http://a@b@hooks.example.org/",
        "http://hooks..example.org/",
        "http://[::1",
        "http://[1]x/",
        "http://forge.example.com/",
        "http://forge.example.com./",
        "https://edgeforge.acme.workers.dev/",
        "https://other.acme.workers.dev/",
    ] {
        assert!(!is_good(bad), "{bad}");
    }
    assert!(!is_good(&format!("https://hooks.example.org/{}", "x".repeat(2048))));
}

#[test]
fn a_password_is_masked_and_sent_apart() {
    assert_eq!(
        masked("https://ann:s3cret@hooks.example.org/x").as_deref(),
        Some("https://ann:*****@hooks.example.org/x")
    );
    assert_eq!(masked("https://ann:{key}@hooks.example.org/x"), None);
    assert_eq!(masked("https://ann@hooks.example.org/x"), None);
    let address = Address::read("https://ann:s%40cret@hooks.example.org?x").unwrap();
    assert_eq!(address.to_send(), "https://hooks.example.org/?x");
    assert_eq!(address.credentials().as_deref(), Some("ann:s@cret"));
}
