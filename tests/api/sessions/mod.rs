//! Sessions of the pages (behaviour 2.4).

mod ends;
mod forged;
mod lists;
mod starting;

use crate::support::{Answer, Ask, Person, Server};
use serde_json::{Value, json};

/// What a browser keeps of a session.
#[derive(Clone)]
pub struct Browser {
    pub secret: String,
    pub id: i64,
}

/// The value of the cookie that an answer sets.
fn cookie(answer: &Answer, name: &str) -> String {
    let begin = format!("{name}=");
    let cookies = answer.cookies();
    let of_name = cookies.iter().find_map(|cookie| cookie.strip_prefix(&begin));
    let value = of_name.and_then(|cookie| cookie.split(';').next());
    value.unwrap_or_else(|| panic!("{}: no cookie {name} in {cookies:?}", answer.what)).to_owned()
}

/// The request that starts a session.
pub fn start(server: &'static Server, person: &Person) -> Ask {
    server.ask_v4("POST", "/session").by(person).by_page()
}

pub fn started(server: &'static Server, person: &Person) -> Browser {
    let answer = start(server, person).header("User-Agent", "Firefox").gives(201);
    Browser::of(&answer)
}

impl Browser {
    /// The session that an answer starts.
    pub fn of(answer: &Answer) -> Browser {
        Browser { secret: cookie(answer, "session"), id: cookie(answer, "signed-in").parse().unwrap() }
    }

    /// Adds the cookies, as a browser sends them.
    pub fn sends(&self, ask: Ask) -> Ask {
        ask.header("Cookie", format!("theme=dark; session={}; signed-in={}", self.secret, self.id))
    }

    pub fn get(&self, server: &'static Server, path: &str) -> Ask {
        self.sends(server.ask_v4("GET", path))
    }

    /// A write by a page of the server.
    pub fn write(&self, server: &'static Server, verb: &str, path: &str) -> Ask {
        self.sends(server.ask_v4(verb, path).by_page())
    }
}

pub fn unauthorized() -> Value {
    json!({ "message": "401 Unauthorized" })
}

/// The cookie opens nothing: 401, and the answer clears both cookies.
#[track_caller]
pub fn is_over(server: &'static Server, browser: &Browser) {
    let answer = browser.get(server, "/user").gives(401);
    assert_eq!(answer.json, unauthorized());
    let cleared =
        ["session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", "signed-in=; Path=/; SameSite=Strict; Max-Age=0"];
    assert_eq!(answer.cookies(), cleared);
}

/// The person's own new personal token.
pub fn token_of(server: &'static Server, person: &Person, fields: Value) -> (i64, Person) {
    let path = format!("/users/{}/personal_access_tokens", person.id);
    let made = server.ask_v4("POST", path).by(person).json(fields).gives(201);
    (made.id(), Person { token: made.json["token"].as_str().unwrap().to_owned(), ..person.clone() })
}
