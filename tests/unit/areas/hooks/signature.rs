use super::*;

#[test]
fn the_signature_is_that_of_standard_webhooks() {
    let key = key("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").unwrap();
    let signed = sign(&[key], "7f0c5e2a-6c1e-4a53-9a55-0d7b0f3b9f11", 1_790_000_000, r#"{"object_kind":"push"}"#);
    assert_eq!(signed, "v1,B70oE8zfHmZ7h+2uwMhhpQclgC0VTLLbb17Zq9oMQa8=");
    let twice = sign(&[key, key], "7f0c5e2a-6c1e-4a53-9a55-0d7b0f3b9f11", 1_790_000_000, r#"{"object_kind":"push"}"#);
    assert_eq!(twice, format!("{signed} {signed}"));
}

#[test]
fn a_signing_token_has_32_bytes() {
    for bad in [
        "",
        "whsec_",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==",
        "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "whsec_not base64",
    ] {
        assert_eq!(key(bad), None, "{bad}");
    }
}
