//! Signs JWTs, good ones and bad ones.

use crate::support::documents::DOCUMENTS;
use base64::{Engine, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512,
    RSA_PSS_SHA256, RsaEncoding, RsaKeyPair,
};
use ring::{hmac, signature};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// What a refused JWT fails by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Flaw {
    Form,
    Issuer,
    Signature,
    Time,
    Trust,
}

impl Flaw {
    pub fn hint(self) -> &'static str {
        match self {
            Flaw::Form => "The JWT is malformed, or its algorithm is not RS256",
            Flaw::Issuer => "Its issuer is not in CI_ISSUERS",
            Flaw::Signature => "Its signature does not verify",
            Flaw::Time => "It is not valid at this time",
            Flaw::Trust => "No trust fits its audience, issuer and claims",
        }
    }
}

fn der(pem: &str) -> Vec<u8> {
    let lines: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    BASE64_STANDARD.decode(lines).unwrap()
}

fn pair(pem: &str) -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(&der(pem)).unwrap()
}

/// The key of the issuers in CI_ISSUERS, that of the team of Access, and one that nobody publishes.
pub static FIRST: LazyLock<RsaKeyPair> = LazyLock::new(|| pair(include_str!("keys/first.pem")));
pub static SECOND: LazyLock<RsaKeyPair> = LazyLock::new(|| pair(include_str!("keys/second.pem")));
pub static FOREIGN: LazyLock<RsaKeyPair> = LazyLock::new(|| pair(include_str!("keys/foreign.pem")));

/// The public key of that name, as an issuer publishes it.
pub fn published(name: &str) -> Value {
    let all = DOCUMENTS["https://keys.example.com/all"]["keys"].as_array().unwrap();
    all.iter().find(|key| key["kid"] == name).unwrap().clone()
}

pub fn encoded(part: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(part)
}

/// The first two parts, which are signed.
fn signed_part(header: &Value, claims: &Value) -> String {
    format!("{}.{}", encoded(header.to_string().as_bytes()), encoded(claims.to_string().as_bytes()))
}

fn by(key: &RsaKeyPair, padding: &'static dyn RsaEncoding, text: &str) -> Vec<u8> {
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(padding, &SystemRandom::new(), text.as_bytes(), &mut signature).unwrap();
    signature
}

/// With any header, signed as RS256.
pub fn with_header(key: &RsaKeyPair, header: &Value, claims: &Value) -> String {
    let text = signed_part(header, claims);
    let signature = by(key, &RSA_PKCS1_SHA256, &text);
    format!("{text}.{}", encoded(&signature))
}

pub fn signed(key: &RsaKeyPair, key_id: &str, claims: &Value) -> String {
    with_header(key, &json!({ "alg": "RS256", "typ": "JWT", "kid": key_id }), claims)
}

/// An object with a member in place of another, or without it for null.
pub fn with(object: &Value, name: &str, value: Value) -> Value {
    let mut changed = object.clone();
    match value {
        Value::Null => drop(changed.as_object_mut().unwrap().remove(name)),
        value => changed[name] = value,
    }
    changed
}

/// JWTs that differ from a good one in what nobody looks at. `now`: seconds.
pub fn good_ones(key: &RsaKeyPair, key_id: &str, claims: &Value, now: i64) -> Vec<(&'static str, String)> {
    let head = json!({ "alg": "RS256", "kid": key_id });
    let of = |name: &str, value: Value| signed(key, key_id, &with(claims, name, value));
    vec![
        ("no type", with_header(key, &head, claims)),
        ("another type", with_header(key, &with(&head, "typ", json!("at+jwt")), claims)),
        ("one audience in a list", of("aud", json!([claims["aud"]]))),
        ("times with fractions", of("exp", json!(now as f64 + 100.5))),
        ("ended a moment ago", of("exp", json!(now - 30))),
        ("made in a moment", of("iat", json!(now + 30))),
        ("valid in a moment", of("nbf", json!(now + 30))),
        ("no nbf", of("nbf", Value::Null)),
    ]
}

/// Forged and broken JWTs: the name, the JWT, and the reason of its refusal. `other`: a key of another issuer. `claims` are good
/// at `now`, in seconds.
pub fn forgeries(
    key: &RsaKeyPair,
    key_id: &str,
    other: &RsaKeyPair,
    claims: &Value,
    now: i64,
) -> Vec<(&'static str, String, Flaw)> {
    let head = json!({ "alg": "RS256", "typ": "JWT", "kid": key_id });
    let good = with_header(key, &head, claims);
    let [header, payload, good_signature] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
    let headed = |name: &str, value: Value| with_header(key, &with(&head, name, value), claims);
    let claimed = |name: &str, value: Value| with_header(key, &head, &with(claims, name, value));
    // one that says another algorithm, and is signed so
    let padded = |alg: &str, padding: &'static dyn RsaEncoding| {
        let text = signed_part(&with(&head, "alg", json!(alg)), claims);
        let signature = by(key, padding, &text);
        format!("{text}.{}", encoded(&signature))
    };
    // one whose secret is the public key, which everybody knows
    let hashed = |secret: &[u8]| {
        let text = signed_part(&with(&head, "alg", json!("HS256")), claims);
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), text.as_bytes());
        format!("{text}.{}", encoded(tag.as_ref()))
    };
    let curve = || {
        let text = signed_part(&with(&head, "alg", json!("ES256")), claims);
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
        let made: signature::Signature = pair.sign(&random, text.as_bytes()).unwrap();
        format!("{text}.{}", encoded(made.as_ref()))
    };
    let own = published("foreign");
    let by_other = |name: &str, value: Value| with_header(other, &with(&head, name, value), claims);
    let changed_payload = encoded(with(claims, "sub", json!("somebody else")).to_string().as_bytes());
    let raw = |text: &str| format!("{header}.{}.{good_signature}", encoded(text.as_bytes()));
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(good_signature).unwrap();
    let public = signature::KeyPair::public_key(key).as_ref();
    let jwk = json!({ "kty": "RSA", "n": published("first")["n"], "e": "AQAB" }).to_string();
    let long = json!("x".repeat(9000));
    vec![
        ("alg none", format!("{}.", signed_part(&with(&head, "alg", json!("none")), claims)), Flaw::Form),
        ("alg none, signed", headed("alg", json!("none")), Flaw::Form),
        ("HS256 by the public key", hashed(public), Flaw::Form),
        ("HS256 by its PEM", hashed(pem(public).as_bytes()), Flaw::Form),
        ("HS256 by its JWK", hashed(jwk.as_bytes()), Flaw::Form),
        ("RS384", padded("RS384", &RSA_PKCS1_SHA384), Flaw::Form),
        ("RS512", padded("RS512", &RSA_PKCS1_SHA512), Flaw::Form),
        ("PS256", padded("PS256", &RSA_PSS_SHA256), Flaw::Form),
        ("PS256 that says RS256", padded("RS256", &RSA_PSS_SHA256), Flaw::Signature),
        ("RS384 that says RS256", padded("RS256", &RSA_PKCS1_SHA384), Flaw::Signature),
        ("ES256", curve(), Flaw::Form),
        ("alg in lower case", headed("alg", json!("rs256")), Flaw::Form),
        ("no alg", headed("alg", Value::Null), Flaw::Form),
        ("alg in a list", headed("alg", json!(["RS256"])), Flaw::Form),
        ("no kid", headed("kid", Value::Null), Flaw::Form),
        ("empty kid", headed("kid", json!("")), Flaw::Form),
        ("kid a number", headed("kid", json!(1)), Flaw::Form),
        ("kid of 257 characters", headed("kid", json!("k".repeat(257))), Flaw::Form),
        ("kid of 10 kB", headed("kid", json!("k".repeat(10_000))), Flaw::Form),
        ("unknown kid", headed("kid", json!("made-up")), Flaw::Signature),
        ("kid a path", headed("kid", json!("../../x")), Flaw::Signature),
        ("own jwk", by_other("jwk", own.clone()), Flaw::Signature),
        ("own jku", by_other("jku", json!("https://keys.example.com/all")), Flaw::Signature),
        ("own x5u", by_other("x5u", json!("https://keys.example.com/all")), Flaw::Signature),
        ("own x5c", by_other("x5c", json!([own["n"]])), Flaw::Signature),
        ("crit", headed("crit", json!(["exp"])), Flaw::Form),
        ("empty crit", headed("crit", json!([])), Flaw::Form),
        ("a key of another issuer", with_header(other, &head, claims), Flaw::Signature),
        ("exp past", claimed("exp", json!(now - 61)), Flaw::Time),
        ("no exp", claimed("exp", Value::Null), Flaw::Time),
        ("exp a text", claimed("exp", json!((now + 100).to_string())), Flaw::Time),
        ("no iat", claimed("iat", Value::Null), Flaw::Time),
        ("iat a text", claimed("iat", json!((now - 10).to_string())), Flaw::Time),
        ("iat ahead", claimed("iat", json!(now + 90)), Flaw::Time),
        ("nbf ahead", claimed("nbf", json!(now + 90)), Flaw::Time),
        ("nbf a text", claimed("nbf", json!("0")), Flaw::Time),
        ("nbf a list", claimed("nbf", json!([0])), Flaw::Time),
        ("signature cut", format!("{header}.{payload}.{}", encoded(&bytes[..255])), Flaw::Signature),
        ("signature longer", format!("{header}.{payload}.{}", encoded(&[&bytes[..], &[0]].concat())), Flaw::Signature),
        (
            "signature begun by a zero",
            format!("{header}.{payload}.{}", encoded(&[&[0], &bytes[..]].concat())),
            Flaw::Signature,
        ),
        ("signature padded", format!("{good}=="), Flaw::Form),
        ("signature empty", format!("{header}.{payload}."), Flaw::Signature),
        ("signature of zeros", format!("{header}.{payload}.{}", encoded(&[0; 256])), Flaw::Signature),
        ("signature no base64url", format!("{header}.{payload}.+/+/"), Flaw::Form),
        ("signature of another payload", format!("{header}.{changed_payload}.{good_signature}"), Flaw::Signature),
        ("2 parts", format!("{header}.{payload}"), Flaw::Form),
        ("4 parts", format!("{good}.{good_signature}"), Flaw::Form),
        ("5 parts", format!("{good}.{payload}.{good_signature}"), Flaw::Form),
        ("9 kB", with_header(key, &head, &with(claims, "more", long)), Flaw::Form),
        ("payload a list", raw("[1]"), Flaw::Form),
        ("payload no JSON", raw("{\"iss\":"), Flaw::Form),
        ("payload with something behind", raw(&format!("{claims}x")), Flaw::Form),
        ("payload not UTF-8", format!("{header}.{}.{good_signature}", encoded(b"{\"iss\":\"\xff\"}")), Flaw::Form),
        ("payload too deep", raw(&format!("{}{}", "{\"a\":".repeat(200), "}".repeat(200))), Flaw::Form),
        ("payload a number beyond", raw("{\"exp\":1e999}"), Flaw::Form),
        (
            "header with something behind",
            format!("{}.{payload}.{good_signature}", encoded(format!("{head}x").as_bytes())),
            Flaw::Form,
        ),
    ]
}

fn pem(public: &[u8]) -> String {
    format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", BASE64_STANDARD.encode(public))
}
