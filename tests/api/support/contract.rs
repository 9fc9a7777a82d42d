//! The OpenAPI description of `openapi/`. Checks answers against it.

use super::Answer;
use edgeforge::{Dialect, Profile};
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

pub struct Contract {
    pub document: Value,
    operations: Vec<Operation>,
    /// Validators by the texts of their schemas.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
    /// The same by the addresses of schemas, which are in this struct.
    found: Mutex<HashMap<usize, Arc<Validator>>>,
}

pub struct Operation {
    pub method: String,
    /// As in the description: `/projects/{id}`.
    pub path: String,
    parts: Vec<String>,
    /// The described answer of each status, references resolved.
    pub answers: HashMap<String, Value>,
    /// The schemas of its query and body parameters, by name.
    pub parameters: BTreeMap<String, Value>,
}

/// The description of v3, as `scripts/build` writes it.
pub fn contract() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::made_by("openapi/index.mjs"));
    &CONTRACT
}

pub fn contract_v4() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| Contract::made_by("openapi/v4/index.mjs"));
    &CONTRACT
}

/// The description of the API that a path belongs to.
pub fn contract_of(path: &str) -> &'static Contract {
    match Dialect::of(path.split('?').next().unwrap_or_default(), Profile::Spec) {
        Some((Dialect::V4, _)) => contract_v4(),
        _ => contract(),
    }
}

impl Contract {
    fn made_by(script: &str) -> Contract {
        let made = Command::new("node")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg(script)
            .output()
            .expect("node makes the description: install it");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Contract::new(serde_json::from_slice(&made.stdout).expect("a description in JSON"))
    }

    fn new(document: Value) -> Contract {
        let mut operations = Vec::new();
        for (path, verbs) in document["paths"].as_object().expect("paths") {
            for (verb, operation) in verbs.as_object().expect("verbs") {
                let answers = operation["responses"].as_object().expect("responses").iter();
                let answers = answers.map(|(status, answer)| (status.clone(), followed(&document, answer).clone()));
                let (method, answers) = (verb.to_uppercase(), answers.collect());
                let parts = path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let parameters = parameters.filter(|parameter| parameter["in"] == "query");
                let named = |parameter: &Value| {
                    (parameter["name"].as_str().expect("a name").to_owned(), parameter["schema"].clone())
                };
                let body = followed(&document, &operation["requestBody"]["content"]["application/json"]["schema"]);
                let members = body["properties"].as_object().into_iter().flat_map(Clone::clone);
                let parameters = parameters.map(named).chain(members).collect();
                operations.push(Operation { method, path: path.clone(), parts, answers, parameters });
            }
        }
        Contract { document, operations, validators: Mutex::default(), found: Mutex::default() }
    }

    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operation of a request. Of several matching paths it is the one with the most literal segments, as in the
    /// router.
    pub fn operation(&self, method: &str, path: &str) -> Option<&Operation> {
        let method = if method == "HEAD" { "GET" } else { method };
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let words = |known: &&Operation| known.parts.iter().filter(|part| !part.starts_with('{')).count();
        let fitting = || self.operations.iter().filter(|known| known.fits(&segments));
        let most = fitting().map(|known| words(&known)).max();
        fitting().find(|known| known.method == method && Some(words(known)) == most)
    }

    /// `schema`: in this struct.
    fn validator(&self, schema: &Value) -> Arc<Validator> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let place = found.entry(std::ptr::from_ref(schema).addr());
        Arc::clone(place.or_insert_with(|| self.built(schema)))
    }

    fn built(&self, schema: &Value) -> Arc<Validator> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let known = validators.entry(schema.to_string());
        let validator = known.or_insert_with(|| {
            let whole = json!({ "allOf": [schema], "components": self.document["components"] });
            let built = jsonschema::options().with_draft(Draft::Draft202012).build(&whole);
            Arc::new(built.unwrap_or_else(|error| panic!("{schema}: {error}")))
        });
        Arc::clone(validator)
    }

    fn check_body(&self, what: &str, schema: &Value, body: &Value) {
        let validator = self.validator(schema);
        let place = |error: jsonschema::ValidationError<'_>| format!("{} at {}", error, error.instance_path());
        let errors: Vec<String> = validator.iter_errors(body).map(place).collect();
        assert!(errors.is_empty(), "{what} differs from its description: {errors:#?}\n{body}");
    }

    /// Checks an answer against the description. `target`: path and query as sent. `readable`: whether query and body
    /// can be parsed.
    pub fn check(&self, method: &str, target: &str, answer: &Answer, readable: bool) {
        let what = format!("the answer {} of {}", answer.status, answer.what);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let stood_for = edgeforge::addresses::in_api(path, query);
        let path = stood_for.as_ref().map_or(path, |(path, _)| path);
        let path = Dialect::of(path, Profile::Spec).map_or(path, |(_, below)| below);
        let Some(operation) = self.operation(method, path) else {
            let refused = [204, 400, 404, 405, 406, 413].contains(&answer.status);
            assert!(refused, "{what}: the route is not described; add it in openapi/");
            return;
        };
        let link = answer.header("Link").unwrap_or_default();
        if let Some(next) = link.split(", ").find(|link| link.ends_with("rel=\"next\"")) {
            let cursors = operation.parameters.contains_key("cursor");
            assert_eq!(next.contains("cursor="), cursors, "{what}: described cursors, and {next}");
        }
        if readable {
            operation.check_parameters(&what, target, answer);
        }
        let described = operation.answers.get(&answer.status.to_string());
        // a segment of invalid UTF-8 belongs to no operation
        let broken = [400, 404].contains(&answer.status) && answer.json.get("error").is_some();
        let Some(described) = described else {
            assert!(broken, "{what}: this status is not described; add it in openapi/");
            return;
        };
        for (name, header) in described["headers"].as_object().into_iter().flatten() {
            let header = followed(&self.document, header);
            match answer.header(name) {
                Some(value) => self.check_body(&format!("{what}: {name}"), &header["schema"], &json!(value)),
                None => assert!(header["required"] != true, "{what} lacks the header {name}"),
            }
        }
        if method == "HEAD" {
            return;
        }
        let content_type = answer.header("Content-Type");
        match (described["content"].as_object(), content_type) {
            (None, None) => {}
            (Some(content), Some(kind)) => {
                let schema = content
                    .get(kind)
                    .unwrap_or_else(|| panic!("{what}: the type {kind} is not described; add it in openapi/"));
                if kind == "application/json" {
                    self.check_body(&what, &schema["schema"], &answer.json);
                }
            }
            (content, kind) => panic!("{what} has the Content-Type {kind:?}; described are {content:?}"),
        }
    }
}

impl Operation {
    /// Described and read parameters must be the same.
    fn check_parameters(&self, what: &str, target: &str, answer: &Answer) {
        const COMMON: [&str; 4] = ["private_token", "access_token", "sudo", "format"];
        let unread = answer.header("X-Unread-Parameters").unwrap_or_default();
        let unread = unread.split(", ").filter(|name| !name.is_empty());
        let unread: HashSet<_> =
            unread.map(|name| percent_encoding::percent_decode_str(name).decode_utf8_lossy()).collect();
        let forgotten: Vec<_> = unread.iter().filter(|name| self.parameters.contains_key(name.as_ref())).collect();
        assert!(forgotten.is_empty(), "{what}: described parameters are not read: {forgotten:?}");
        if !(200..300).contains(&answer.status) || unread.len() > 8 || unread.contains("?") {
            return;
        }
        let query = target.split_once('?').map_or("", |(_, query)| query);
        // the last value of a repeated name counts
        let sent: HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).collect();
        for (name, value) in sent {
            // `not[..]` is described under its whole name, an array under the name before its brackets
            let whole = self.parameters.contains_key(name.trim_end_matches("[]"));
            let name = if whole { name.trim_end_matches("[]") } else { name.split('[').next().unwrap_or_default() };
            let repeats = target
                .split('?')
                .next()
                .unwrap_or_default()
                .split('/')
                .any(|part| percent_encoding::percent_decode_str(part).decode_utf8_lossy() == value);
            let known = self.parameters.contains_key(name) || unread.contains(name) || COMMON.contains(&name);
            assert!(known || repeats, "{what}: {name} is read but not described; add it in openapi/");
        }
    }

    /// The last segment may end in `.json`, which the router ignores.
    fn fits(&self, segments: &[&str]) -> bool {
        let fits = |(part, segment): (&String, &&str)| {
            part.starts_with('{') || part == segment || segment.strip_suffix(".json") == Some(part)
        };
        self.parts.len() == segments.len() && self.parts.iter().zip(segments).all(fits)
    }
}

/// `["projects", id]` as `/projects/{id}`.
pub fn templated(pattern: &str) -> String {
    let parts = pattern.trim_matches(['[', ']']).split(',').map(str::trim).filter(|part| !part.is_empty());
    let parts = parts.map(|part| match part.strip_prefix('"') {
        Some(word) => word.trim_end_matches('"').to_owned(),
        None => format!("{{{part}}}"),
    });
    format!("/{}", parts.collect::<Vec<_>>().join("/"))
}

fn followed<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|address| address.strip_prefix('#'));
    pointer.map_or(value, |pointer| document.pointer(pointer).expect("what is referred to"))
}
