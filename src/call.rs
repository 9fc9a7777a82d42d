//! One request being answered: its doors, its parameters, its time. A caller or a project is only to be had through
//! a door, and a door's look-up travels with the handler's own question in one statement.

pub mod scope;

use crate::error::{Error, Faults, Result};
use crate::http::{Reply, Request};
use crate::page::{Listing, Page, Total};
use crate::params::{Params, Reading};
use crate::policy::{self, Access, Action, Visibility};
use crate::store::{Rows, Statement, Store, Value, flag};
use crate::users::sql::UserRow;
use crate::{Config, Profile};
pub(crate) use scope::{in_group, in_open_project, in_project, signed_in};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::cell::Cell;

pub struct Call<'a> {
    pub config: &'a Config,
    pub request: &'a Request,
    pub store: Store<'a>,
    /// Query and body; an error is told only to those who may know more than 401.
    pub params: Result<Params>,
    /// Milliseconds since 1970.
    pub now: i64,
    /// Fresh random bytes for one token.
    pub random: [u8; 16],
    /// Who was let in, for the log.
    pub caller_id: Cell<Option<i64>>,
    /// What an operator should mend though the request is answered, for the log.
    pub complaint: Cell<Option<String>>,
}

/// The signed-in caller.
#[derive(Debug, Deserialize)]
pub struct Caller {
    #[serde(flatten)]
    pub user: UserRow,
    #[serde(with = "flag")]
    pub admin: bool,
    /// The one project whose mirror a hook token serves.
    hook_project_id: Option<i64>,
}

/// The project or group behind a door, as the caller stands to it.
#[derive(Debug, Deserialize, Clone)]
pub struct Place {
    pub id: i64,
    pub visibility: Visibility,
    pub access: Access,
    /// The place's own columns that handlers ask for.
    #[serde(default)]
    pub default_branch: Option<String>,
    #[serde(default)]
    issues_enabled: Option<i64>,
    #[serde(default)]
    builds_enabled: Option<i64>,
}

impl Place {
    pub fn may(&self, action: Action) -> bool {
        policy::may(action, self.access, self.visibility)
    }

    pub fn has_issues(&self) -> bool {
        self.issues_enabled == Some(1)
    }

    pub fn has_builds(&self) -> bool {
        self.builds_enabled == Some(1)
    }
}

/// What a door lets through: the caller, the place, and the rows of the handler's own question.
pub struct Entered {
    pub caller: Caller,
    pub place: Place,
    pub rows: Rows,
    pub links: Links,
}

/// What a door without a place lets through.
pub struct SignedIn {
    pub caller: Caller,
    pub rows: Rows,
    pub links: Links,
}

/// How addresses in answers begin, and whether users have pictures.
#[derive(Debug, Clone)]
pub struct Links {
    pub base: String,
    pub avatars: bool,
}

#[derive(Deserialize)]
struct DoorRow {
    user: Option<Caller>,
    /// Whose token it is, where `SUDO` names somebody else.
    actor: Option<Actor>,
    place: Option<Place>,
    #[serde(with = "flag")]
    avatars: bool,
    /// Whether the rows of the question stand in the rows of the door.
    #[serde(default)]
    beside: bool,
}

#[derive(Deserialize)]
struct Actor {
    token: String,
    #[serde(with = "flag")]
    admin: bool,
}

impl Call<'_> {
    /// 401, then 404, then 403, then the question's own error: the door of everything in a project.
    pub async fn enter(&self, project: &str, action: Action, question: Result<Statement>) -> Result<Entered> {
        self.step_in(project, action, "Project", scope::PROJECT_DOOR, question).await
    }

    /// The same for a group.
    pub async fn enter_group(
        &self,
        group: &str,
        action: Action,
        question: Result<Statement>,
    ) -> Result<Entered> {
        self.step_in(group, action, "Group", scope::GROUP_DOOR, question).await
    }

    async fn step_in(
        &self,
        reference: &str,
        action: Action,
        what: &str,
        door: &'static str,
        question: Result<Statement>,
    ) -> Result<Entered> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let (door, rows, error) = self.knock(door, credentials, Some(reference), question).await?;
        let links = self.links(door.avatars);
        let (caller, place) = self.pass(door, action, what)?;
        error.map_or(Ok(Entered { caller, place, rows, links }), Err)
    }

    /// The door of what everybody may read: in a public project it asks nobody, elsewhere it is [`Call::enter`].
    pub async fn visit(&self, project: &str, action: Action, question: Statement) -> Result<(Place, Rows)> {
        let credentials = self.credentials().unwrap_or_default();
        let door = scope::OPEN_PROJECT_DOOR;
        let (door, rows, _) = self.knock(door, credentials, Some(project), Ok(question)).await?;
        match door {
            DoorRow { user: None, place: Some(place), .. } => Ok((place, rows)),
            door => Ok((self.pass(door, action, "Project")?.1, rows)),
        }
    }

    /// 401, then 404, then 403.
    fn pass(&self, door: DoorRow, action: Action, what: &str) -> Result<(Caller, Place)> {
        let caller = self.admit(door.user, door.actor)?;
        let place = door.place.ok_or_else(|| Error::missing(what))?;
        if let Some(project_id) = caller.hook_project_id
            && (project_id != place.id || action != Action::PushMirror)
        {
            return Err(Error::FORBIDDEN);
        }
        policy::judge(action, place.access, place.visibility, what)?;
        Ok((caller, place))
    }

    /// 401, then the question's own error: the door of what belongs to the caller alone.
    pub async fn sign_in(&self, question: Result<Statement>) -> Result<SignedIn> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let (door, rows, error) = self.knock(scope::CALLER_DOOR, credentials, None, question).await?;
        let links = self.links(door.avatars);
        let caller = self.admit(door.user, door.actor)?;
        if caller.hook_project_id.is_some() {
            return Err(Error::FORBIDDEN);
        }
        error.map_or(Ok(SignedIn { caller, rows, links }), Err)
    }

    /// 401, then 403, then the question's own error: the door of administrators.
    pub async fn administer(&self, question: Result<Statement>) -> Result<SignedIn> {
        match self.sign_in(question).await {
            Ok(entered) if !entered.caller.admin => Err(Error::FORBIDDEN),
            // the question's error is not for everyone
            Err(error) if error.status() == 400 => {
                let entered = Box::pin(self.sign_in(Ok(scope::caller_door()))).await?;
                if entered.caller.admin { Err(error) } else { Err(Error::FORBIDDEN) }
            }
            outcome => outcome,
        }
    }

    /// The door that anyone passes: the caller where the token is good, else none.
    pub async fn guest(&self) -> Result<Option<Caller>> {
        match self.sign_in(Ok(scope::caller_door())).await {
            Ok(entered) => Ok(Some(entered.caller)),
            Err(Error::Internal(cause)) => Err(Error::Internal(cause)),
            Err(_) => Ok(None),
        }
    }

    /// One trip: who calls, where to, and the question's rows. A question that could not be put leaves its error.
    async fn knock(
        &self,
        door: &'static str,
        credentials: Credentials,
        reference: Option<&str>,
        question: Result<Statement>,
    ) -> Result<(DoorRow, Rows, Option<Error>)> {
        let (mut statement, error) = match question {
            Ok(statement) => (statement, None),
            Err(error) => (Statement { sql: door.into(), binds: Vec::new() }, Some(error)),
        };
        let mut binds = credentials.binds(self.now).to_vec();
        // D1 refuses more binds than the statement has places
        if reference.is_some() || !statement.binds.is_empty() {
            binds.extend(reference.map_or([Value::Null, Value::Null], scope::reference));
        }
        statement.binds.splice(0..0, binds);
        let mut rows = self.store.run(statement).await?;
        let door: Option<DoorRow> = rows.first()?;
        let door = door.ok_or_else(|| Error::Internal("a door without a row".to_owned()))?;
        if !door.beside {
            rows.drop_first();
        }
        Ok((door, rows, error))
    }

    fn admit(&self, user: Option<Caller>, actor: Option<Actor>) -> Result<Caller> {
        let Some(sudo) = self.sudo() else {
            self.caller_id.set(user.as_ref().map(|caller| caller.user.id));
            return user.ok_or(Error::Unauthorized);
        };
        let actor = actor.ok_or(Error::Unauthorized)?;
        if !actor.admin {
            return Err(Error::Forbidden("403 Forbidden  - Must be admin to use sudo"));
        }
        if actor.token != "private" {
            return Err(Error::Forbidden(
                "403 Forbidden  - Private token must be specified in order to use sudo",
            ));
        }
        self.caller_id.set(user.as_ref().map(|caller| caller.user.id));
        user.ok_or_else(|| Error::missing(&format!("No user id or username for: {sudo}")))
    }

    /// Whom an administrator wants to be; the parameter wins.
    fn sudo(&self) -> Option<String> {
        let parameter = self.params.as_ref().ok().and_then(|params| params.text("sudo"));
        parameter.or_else(|| self.request.header("sudo").map(str::to_owned)).filter(|name| !name.is_empty())
    }

    /// The token presented: the header wins over the parameter.
    fn credentials(&self) -> Option<Credentials> {
        let parameter = |name: &str| self.params.as_ref().ok().and_then(|params| params.text(name));
        let bearer = || {
            let (scheme, token) = self.request.header("authorization")?.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
        };
        let token = self.request.header("private-token").map(str::to_owned);
        let token = token
            .or_else(|| parameter("private_token"))
            .or_else(bearer)
            .or_else(|| parameter("access_token"))
            .filter(|token| !token.is_empty())?;
        let hash = token_hash(&token);
        let is_root = self.config.admin_token_hash.as_deref() == Some(hash.as_str());
        Some(Credentials { hash, is_root, sudo: self.sudo() })
    }

    /// Whether any token was sent, good or not.
    pub fn has_credentials(&self) -> bool {
        self.credentials().is_some()
    }

    /// Leaves something to mend in the log.
    pub fn complain(&self, text: String) {
        self.complaint.set(Some(text));
    }

    pub fn links(&self, avatars: bool) -> Links {
        let external = self.config.external_url.trim_end_matches('/');
        let base = if external.is_empty() { &self.request.origin } else { external };
        Links { base: base.to_owned(), avatars }
    }

    fn params(&self) -> Result<&Params> {
        self.params.as_ref().map_err(Error::clone)
    }

    /// The parameters of a list; those in `kept` mean something when blank, too.
    pub fn query<T: DeserializeOwned>(&self, kept: &[&str]) -> Result<T> {
        self.params()?.read(Reading::Query, kept)
    }

    /// The parameters of a new record.
    pub fn creation<T: DeserializeOwned>(&self) -> Result<T> {
        self.params()?.read(Reading::Create, &[])
    }

    /// The parameters of a change.
    pub fn edit<T: DeserializeOwned>(&self) -> Result<T> {
        self.params()?.read(Reading::Edit, &[])
    }

    /// The same with the fields that failed, for an endpoint that judges the others, too.
    pub fn edit_and_faults<T: DeserializeOwned>(&self) -> Result<(T, Faults)> {
        self.params()?.read_and_faults(Reading::Edit, &[])
    }

    pub fn page(&self) -> Result<Page> {
        Page::from(self.params()?)
    }

    /// A list's page as the reply. `path`: the values of the path's placeholders.
    pub fn listing<T: Serialize>(
        &self,
        page: &Page,
        total: Total,
        path: &[(&str, &str)],
        next_cursor: Option<String>,
        items: &[T],
    ) -> Result<Reply> {
        let params = self.params()?;
        Ok(Listing { request: self.request, params, page, total, path, next_cursor }.reply(items))
    }

    /// The success status of POST issue and POST todo, which the two profiles answer differently.
    pub fn created(&self) -> u16 {
        if self.config.profile == Profile::Gitlab { 201 } else { 200 }
    }
}

/// By default nobody's.
#[derive(Default)]
struct Credentials {
    hash: String,
    is_root: bool,
    sudo: Option<String>,
}

impl Credentials {
    /// The first four binds of every scope.
    fn binds(&self, now: i64) -> [Value; 4] {
        let sudo = match &self.sudo {
            Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Value::Int(text.parse().unwrap_or_default())
            }
            Some(text) => Value::from(text.as_str()),
            None => Value::Null,
        };
        let root = if self.is_root { Value::Int(1) } else { Value::Null };
        [root, Value::from(self.hash.as_str()), sudo, Value::Int(now)]
    }
}

/// How a token is stored: its SHA-256 in lower-case hexadecimal.
pub fn token_hash(token: &str) -> String {
    use std::fmt::Write;
    Sha256::digest(token.as_bytes()).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// An id in a path: digits only, else there is no such record.
pub fn path_id(text: &str) -> Result<i64> {
    let digits = !text.is_empty() && text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().map_err(|_| Error::no_record()) } else { Err(Error::no_record()) }
}
