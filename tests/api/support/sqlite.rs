//! SQLite as the backend, stricter than D1: a test that passes here would pass there.

use super::documents;
use super::objects::Bucket;
use edgeforge::rate::{self, Memory};
use edgeforge::store::{
    Answer, AnswerFuture, Backend, BatchResult, Failure, Objects, OutgoingRequest, Reading, RemoteAnswer, Statement,
    StoreFuture, Value, VerdictFuture,
};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, MAIN_DB, Savepoint, StatementStatus};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// The largest integer that a JavaScript number represents exactly.
const EXACT: i64 = 1 << 53;

/// D1's limits, which workerd sets, too.
const LIMITS: &[(Limit, i32)] = &[
    (Limit::SQLITE_LIMIT_LENGTH, 2_000_000),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
    (Limit::SQLITE_LIMIT_COLUMN, 100),
    // Since 3.54 this limit of SQLite also counts the table cursors of a statement with a common table expression.
    // workerd has an earlier SQLite.
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    // one less, so that a later version has room
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 4),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 127),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 100),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// A failure of a batch that the database causes, with D1's message.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    /// The batch did not arrive.
    Before(&'static str),
    /// The batch was rolled back.
    During(&'static str),
    /// The batch was committed, and the answer was lost.
    After(&'static str),
}

/// After every so many batches the counters of bytes are compared with the rows.
const RECOUNTED: u64 = 100;

/// Called before each batch: should it fail?
type Faults = Box<dyn FnMut() -> Option<Fault> + Send>;

/// Answers what is sent to other servers.
type Receiver = Box<dyn FnMut(&OutgoingRequest) -> Result<RemoteAnswer, String> + Send>;

/// Answers who asks another server for a document: its address, and whether no cache may answer.
type Library = Box<dyn FnMut(&str, bool) -> Result<RemoteAnswer, String> + Send>;

pub struct Sqlite {
    faults: Mutex<Option<Faults>>,
    connection: Mutex<Connection>,
    blobs: BTreeMap<String, String>,
    /// Executed instructions of SQLite's virtual machine, without those of analyzing a new statement.
    steps: AtomicU64,
    statements: AtomicU64,
    /// Bytes of the rows that the service got.
    crossed: AtomicU64,
    batches: AtomicU64,
    trips: AtomicU64,
    /// The memory of an instance of the Worker.
    memory: Mutex<Memory>,
    /// Whether each look finds the memory of a new instance.
    forgets: AtomicBool,
    /// For each limit the allowed and the used number.
    rates: Mutex<[u32; 3]>,
    counted: Mutex<HashMap<(usize, String), u32>>,
    /// What each round trip is said to have taken.
    millis: Mutex<f64>,
    /// A text in statements, and its replacement.
    mutation: Mutex<Option<(String, String)>>,
    /// The number of times that it was found.
    mutations: AtomicU64,
    /// The service's statements and their answers, while they are recorded.
    recorded: Mutex<Option<Vec<(Statement, Answer)>>>,
    /// What was sent to other servers, in order.
    sent: Mutex<Vec<OutgoingRequest>>,
    /// The other servers. Without it each answers 200.
    receiver: Mutex<Option<Receiver>>,
    /// The addresses of documents that were asked for, in order, and whether no cache might answer.
    fetched: Mutex<Vec<(String, bool)>>,
    /// The documents of other servers. Without it they are those of `documents.json`.
    library: Mutex<Option<Library>>,
    /// The object store of long diffs, if there is one.
    pub bucket: Option<Bucket>,
    /// Route and round trips of each request while recording, and the number of recorded statements at its end.
    requests: Mutex<Vec<(String, u32, usize)>>,
}

impl Sqlite {
    /// An empty database with all migrations applied, and these blobs.
    pub fn new(blobs: BTreeMap<String, String>) -> Sqlite {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.deserialize_read_exact(MAIN_DB, MIGRATED.as_slice(), MIGRATED.len(), false).unwrap();
        for (limit, value) in LIMITS {
            connection.set_limit(*limit, *value).unwrap();
        }
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false).unwrap();
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false).unwrap();
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true).unwrap();
        connection.set_prepared_statement_cache_capacity(500);
        // for `restore`; made later, in a transaction, they would make SQLite read the schema again at each rollback
        connection
            .execute_batch(
                "create table temp.inserted (id integer primary key);
create table temp.changed (id integer primary key) without rowid",
            )
            .unwrap();
        Sqlite {
            faults: Mutex::default(),
            connection: Mutex::new(connection),
            steps: AtomicU64::default(),
            statements: AtomicU64::default(),
            crossed: AtomicU64::default(),
            batches: AtomicU64::default(),
            trips: AtomicU64::default(),
            memory: Mutex::default(),
            forgets: AtomicBool::default(),
            rates: Mutex::default(),
            counted: Mutex::default(),
            millis: Mutex::default(),
            mutation: Mutex::default(),
            mutations: AtomicU64::default(),
            recorded: Mutex::default(),
            sent: Mutex::default(),
            receiver: Mutex::default(),
            fetched: Mutex::default(),
            library: Mutex::default(),
            bucket: None,
            requests: Mutex::default(),
            blobs,
        }
    }

    /// From now on each key may have this many refusals, requests and pushes.
    pub fn limit(&self, rates: [u32; 3]) {
        *self.rates.lock().unwrap() = rates;
        self.counted.lock().unwrap().clear();
    }

    /// From now on each round trip costs so many milliseconds.
    pub fn cost(&self, millis: f64) {
        *self.millis.lock().unwrap() = millis;
    }

    /// Clears the memory, as a new instance would start.
    pub fn forget(&self) {
        *self.memory.lock().unwrap() = Memory::default();
    }

    /// From now on the service finds the memory of a new instance each time that it looks.
    pub fn forget_always(&self) {
        self.forgets.store(true, Ordering::Relaxed);
    }

    /// `sql`: of any length, a whole world in one text.
    pub fn tamper(&self, sql: &str) {
        let connection = self.connection.lock().unwrap();
        let usual = connection.limit(Limit::SQLITE_LIMIT_SQL_LENGTH).unwrap();
        connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, 1_000_000).unwrap();
        connection.execute_batch(sql).unwrap();
        connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, usual).unwrap();
    }

    /// From now on `receiver` answers what is sent to other servers.
    pub fn receive(&self, receiver: impl FnMut(&OutgoingRequest) -> Result<RemoteAnswer, String> + Send + 'static) {
        *self.receiver.lock().unwrap() = Some(Box::new(receiver));
    }

    /// What was sent to other servers since the last call.
    pub fn take_sent(&self) -> Vec<OutgoingRequest> {
        std::mem::take(&mut self.sent.lock().unwrap())
    }

    /// From now on `library` answers who asks another server for a document.
    pub fn serve(&self, library: impl FnMut(&str, bool) -> Result<RemoteAnswer, String> + Send + 'static) {
        *self.library.lock().unwrap() = Some(Box::new(library));
    }

    /// The documents that were asked for since the last call.
    pub fn take_fetched(&self) -> Vec<(String, bool)> {
        std::mem::take(&mut self.fetched.lock().unwrap())
    }

    /// From now on `faults` decides how each batch fails.
    pub fn break_down(&self, faults: impl FnMut() -> Option<Fault> + Send + 'static) {
        *self.faults.lock().unwrap() = Some(Box::new(faults));
    }

    pub fn record(&self) {
        *self.recorded.lock().unwrap() = Some(Vec::new());
    }

    pub fn recorded(&self) -> Vec<(Statement, Answer)> {
        self.recorded.lock().unwrap().take().unwrap_or_default()
    }

    /// Notes the end of a request, while recording.
    pub fn note(&self, route: String, trips: u32) {
        if let Some(recorded) = self.recorded.lock().unwrap().as_ref() {
            self.requests.lock().unwrap().push((route, trips, recorded.len()));
        }
    }

    pub fn requests(&self) -> Vec<(String, u32, usize)> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }

    /// The tables that SQLite opens for a statement, one entry for each cursor, including those of triggers, and
    /// whether it opens them to write.
    pub fn opened(&self, sql: &str) -> Vec<(String, bool)> {
        let connection = self.connection.lock().unwrap();
        let mut roots = connection.prepare_cached("select rootpage, tbl_name from sqlite_schema").unwrap();
        let roots: HashMap<i64, String> =
            roots.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
        let mut program = connection.prepare(&format!("explain {sql}")).unwrap();
        let steps = program
            .raw_query()
            .mapped(|row| Ok((row.get::<_, String>(1)?, row.get::<_, i64>(3)?, row.get::<_, i64>(4)?)));
        let opens = ["OpenRead", "OpenWrite", "ReopenIdx"];
        let opened = steps.map(Result::unwrap).filter(|(step, _, of)| *of == 0 && opens.contains(&step.as_str()));
        opened.filter_map(|(step, root, _)| Some((roots.get(&root)?.clone(), step == "OpenWrite"))).collect()
    }

    /// The tables that a statement scans, by its plan. A name in the plan is a table unless the statement uses it as an
    /// alias.
    pub fn scanned(&self, sql: &str) -> Vec<String> {
        let connection = self.connection.lock().unwrap();
        let mut tables = connection.prepare_cached("select name from sqlite_schema where type = 'table'").unwrap();
        let tables: HashSet<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let text = sql.replace('(', " ( ").replace(')', " ) ").replace(',', " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut prepared = connection.prepare(&format!("explain query plan {sql}")).unwrap();
        let rows = prepared.raw_query().mapped(|row| row.get::<_, String>(3));
        let scans = rows.map(Result::unwrap).filter(|detail| !detail.contains("VIRTUAL TABLE")).filter_map(|detail| {
            let name = detail.strip_prefix("SCAN ")?.split(' ').next()?.to_owned();
            // the single row of the scope
            (name != "c" || !of_columns(sql).starts_with("with place")).then_some(name)
        });
        let table_of = |name: String| {
            let pairs = words.windows(2).filter(|pair| pair[1] == name);
            let mut called: Vec<&str> =
                pairs.map(|pair| pair[0]).filter(|word| *word != "from" && *word != "join").collect();
            called.retain(|word| {
                tables.contains(*word)
                    || *word == ")"
                    || words.windows(2).any(|pair| pair[0] == *word && pair[1] == "as")
            });
            match called.as_slice() {
                [] => tables.contains(&name).then_some(name),
                named => named.iter().all(|word| tables.contains(*word)).then(|| named[0].to_owned()),
            }
        };
        scans.filter_map(table_of).collect()
    }

    /// SQLite's plan of a statement, indented; without the scope's part if that is shown elsewhere.
    pub fn plan(&self, sql: &str, behind_head: bool) -> String {
        let connection = self.connection.lock().unwrap();
        let mut prepared = connection.prepare(&format!("explain query plan {sql}")).unwrap();
        // without bound values: the plan does not depend on them
        let rows = prepared
            .raw_query()
            .mapped(|row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(3)?)));
        let heads = ["place", "scope", "caller"].map(|name| format!("MATERIALIZE {name}"));
        let mut nodes: Vec<(i64, i64, String)> = rows.map(Result::unwrap).collect();
        if behind_head {
            let is_head = |detail: &String| detail == "LEFT-MOST SUBQUERY" || heads.contains(detail);
            let mut left_out: HashSet<i64> = HashSet::new();
            nodes.retain(|(id, parent, detail)| {
                let stays = !is_head(detail) && !left_out.contains(parent);
                stays || !left_out.insert(*id)
            });
        }
        // subqueries that only read a bind
        nodes.retain(|(_, _, detail)| detail != "SCAN CONSTANT ROW");
        let parents: HashSet<i64> = nodes.iter().map(|(_, parent, _)| *parent).collect();
        nodes.retain(|(id, _, detail)| !detail.starts_with("SCALAR SUBQUERY") || parents.contains(id));
        let (mut depths, mut text) = (HashMap::from([(0, 0)]), String::new());
        for (id, parent, detail) in nodes {
            let depth = depths.get(&parent).copied().unwrap_or_default();
            depths.insert(id, depth + 1);
            // leave out the numbers of subqueries, which vary
            let words = detail.split(' ').map(|word| match word.strip_prefix("(subquery-") {
                Some(_) => "(subquery)",
                None => word,
            });
            let words: Vec<&str> = words.filter(|word| word.parse::<u32>().is_err()).collect();
            text.push_str(&format!("{}{}\n", "  ".repeat(depth), words.join(" ")));
        }
        text
    }

    pub fn is_broken(&self) -> bool {
        self.faults.lock().unwrap().is_some()
    }

    pub fn mend(&self) {
        *self.faults.lock().unwrap() = None;
    }

    /// How many instructions and statements ran since the last call. Reading one row more takes more instructions.
    /// Equal numbers in two runs of a statement mean the same path through it, and as many rows.
    pub fn take_steps(&self) -> (u64, u64) {
        (self.steps.swap(0, Ordering::Relaxed), self.statements.swap(0, Ordering::Relaxed))
    }

    /// How many bytes of rows the service got since the last call.
    pub fn take_crossed(&self) -> u64 {
        self.crossed.swap(0, Ordering::Relaxed)
    }

    /// From now on replaces `piece` by `with` in all statements: a fault that tests must detect.
    pub fn mutate(&self, piece: &str, with: &str) {
        *self.mutation.lock().unwrap() = Some((piece.to_owned(), with.to_owned()));
    }

    /// Whether a statement had the text that [`Sqlite::mutate`] replaces.
    pub fn is_mutated(&self) -> bool {
        self.mutations.load(Ordering::Relaxed) > 0
    }

    /// Runs a statement of a test.
    pub fn look(&self, statement: &Statement) -> Result<Answer, Failure> {
        execute(&self.connection.lock().unwrap(), statement)
    }

    pub fn run(&self, statements: &[Statement]) -> Result<Vec<Answer>, Failure> {
        self.transact(statements, None, false)
    }

    /// `own`: the statements are the service's, not a test's.
    fn transact(&self, statements: &[Statement], fault: Option<Fault>, own: bool) -> Result<Vec<Answer>, Failure> {
        if let Some(Fault::Before(text)) = fault {
            return Err(Failure::from_d1(text));
        }
        if statements.is_empty() {
            return Err(Failure::Other("D1_ERROR: No SQL statements detected.".to_owned()));
        }
        let mut connection = self.connection.lock().unwrap();
        let mut transaction = connection.savepoint().map_err(failure)?;
        let mut answers = Vec::new();
        for statement in statements {
            let mutated = self.mutation.lock().unwrap().as_ref().map(|(piece, with)| {
                self.mutations.fetch_add(u64::from(statement.sql.contains(piece)), Ordering::Relaxed);
                Statement { sql: statement.sql.replace(piece, with).into(), ..statement.clone() }
            });
            let statement = mutated.as_ref().unwrap_or(statement);
            if census::is_unchecked(&statement.sql) {
                check_columns(&transaction, &statement.sql)?;
            }
            if census::is_unchecked(&statement.sql) && check_compiled_once(&mut transaction, statement)? {
                census::checked(&statement.sql);
            }
            if own && mutated.is_none() && census::is_uncounted(&statement.sql) {
                let depth = depth(&transaction, &statement.sql, census::deepest());
                census::count(&statement.sql, depth).map_err(Failure::Other)?;
            }
            answers.push(execute(&transaction, statement)?);
            let rows = answers.last().into_iter().flat_map(|answer| &answer.rows);
            self.crossed.fetch_add(rows.map(|row| row.len() as u64).sum(), Ordering::Relaxed);
            if let (true, Some(recorded), Some(answer)) = (own, self.recorded.lock().unwrap().as_mut(), answers.last())
            {
                recorded.push((statement.clone(), answer.clone()));
            }
            let prepared = transaction.prepare_cached(&statement.sql).map_err(failure)?;
            let steps = prepared.reset_status(StatementStatus::VmStep);
            self.steps.fetch_add(u64::try_from(steps).unwrap_or_default(), Ordering::Relaxed);
            self.statements.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(Fault::During(text)) = fault {
            transaction.rollback().and_then(|()| transaction.commit()).map_err(failure)?;
            return Err(Failure::from_d1(text));
        }
        transaction.commit().map_err(failure)?;
        if own && self.batches.fetch_add(1, Ordering::Relaxed).is_multiple_of(RECOUNTED) {
            check_bytes(&connection)?;
        }
        match fault {
            Some(Fault::After(text)) => Err(Failure::from_d1(text)),
            _ => Ok(answers),
        }
    }
}

/// All statements that the tests of this process made the service send. workerd caches compiled statements up to a
/// megabyte of text, and stock SQLite refuses more than a hundred table cursors in one. The schema is the same on all
/// servers, so each text is looked at once.
mod census {
    use std::collections::HashSet;
    use std::path::Path;
    use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

    #[derive(Default)]
    struct Census {
        /// Texts that SQLite compiles once.
        checked: HashSet<String>,
        counted: HashSet<String>,
        bytes: usize,
        deepest: i32,
    }

    fn census() -> MutexGuard<'static, Census> {
        static CENSUS: LazyLock<Mutex<Census>> = LazyLock::new(Mutex::default);
        CENSUS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_unchecked(sql: &str) -> bool {
        !census().checked.contains(sql)
    }

    pub fn checked(sql: &str) {
        census().checked.insert(sql.to_owned());
    }

    pub fn is_uncounted(sql: &str) -> bool {
        !census().counted.contains(sql)
    }

    /// The depth of the deepest statement so far.
    pub fn deepest() -> i32 {
        census().deepest.max(1)
    }

    /// Adds a statement, and writes the figures to `target/tmp/statements-api.txt`.
    pub fn count(sql: &str, depth: i32) -> Result<(), String> {
        let mut census = census();
        if census.counted.insert(sql.to_owned()) {
            census.bytes += sql.len();
            census.deepest = census.deepest.max(depth);
        }
        let Census { counted, bytes, deepest, .. } = &*census;
        let figures = format!(
            "{} statements, {bytes} bytes of text, at most {deepest} table cursors, none compiled twice\n",
            counted.len()
        );
        let file =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(concat!("statements-", env!("CARGO_CRATE_NAME"), ".txt"));
        std::fs::write(file, figures).map_err(|error| error.to_string())
    }
}

impl Backend for Sqlite {
    fn batch(&self, statements: Vec<Statement>, _: Reading) -> StoreFuture<'_, BatchResult> {
        self.trips.fetch_add(1, Ordering::Relaxed);
        let fault = self.faults.lock().unwrap().as_mut().and_then(|faults| faults());
        let mut answers = self.transact(&statements, fault, true);
        if let Some(first) = answers.as_mut().ok().and_then(|answers| answers.first_mut()) {
            first.millis = *self.millis.lock().unwrap();
        }
        Box::pin(std::future::ready(answers.map(|answers| BatchResult { answers, bookmark: None })))
    }

    fn count<'a>(&'a self, limit: rate::Limit, key: &'a str) -> Pin<Box<dyn Future<Output = bool> + 'a>> {
        let mut counted = self.counted.lock().unwrap();
        let count = counted.entry((limit as usize, key.to_owned())).or_default();
        *count += 1;
        Box::pin(std::future::ready(*count <= self.rates.lock().unwrap()[limit as usize]))
    }

    fn remember(&self, look: &mut dyn FnMut(&mut Memory)) {
        if self.forgets.load(Ordering::Relaxed) {
            self.forget();
        }
        look(&mut self.memory.lock().unwrap());
    }

    fn send(&self, request: OutgoingRequest) -> AnswerFuture<'_> {
        let answer = match self.receiver.lock().unwrap().as_mut() {
            Some(receiver) => receiver(&request),
            None => Ok(RemoteAnswer { status: 200, ..RemoteAnswer::default() }),
        };
        self.sent.lock().unwrap().push(request);
        Box::pin(std::future::ready(answer))
    }

    fn fetch<'a>(&'a self, address: &'a str, most: usize, is_fresh: bool) -> AnswerFuture<'a> {
        self.fetched.lock().unwrap().push((address.to_owned(), is_fresh));
        let mut answer = match self.library.lock().unwrap().as_mut() {
            Some(library) => library(address, is_fresh),
            None => documents::answer(address),
        };
        answer.iter_mut().for_each(|answer| answer.body.truncate(most + 1));
        Box::pin(std::future::ready(answer))
    }

    fn has_signed<'a>(&'a self, modulus: &'a str, text: &'a str, signature: &'a [u8]) -> VerdictFuture<'a> {
        Box::pin(std::future::ready(documents::has_signed(modulus, text, signature)))
    }

    fn clock(&self) -> f64 {
        self.trips.load(Ordering::Relaxed) as f64 * *self.millis.lock().unwrap()
    }

    /// Shorter than it is said, and long enough for another thread.
    fn pause(&self, millis: u64) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        std::thread::sleep(Duration::from_millis(millis.min(2)));
        Box::pin(std::future::ready(()))
    }

    fn read_blob<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Rc<str>>> {
        Box::pin(std::future::ready(Ok(self.blobs.get(key).map(|text| text.as_str().into()))))
    }

    fn objects(&self) -> Option<&dyn Objects> {
        self.bucket.as_ref().filter(|bucket| bucket.is_bound()).map(|bucket| bucket as &dyn Objects)
    }
}

/// The bytes of a database with all migrations applied. Each server has a copy.
static MIGRATED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false).unwrap();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false).unwrap();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, true).unwrap();
    migrate(&connection);
    connection.serialize(MAIN_DB).unwrap().to_vec()
});

/// Applies `migrations/*.sql` in order. Refuses tables that are not strict: they would store a REAL in an integer
/// column.
fn migrate(connection: &Connection) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    // as wrangler notes which files are applied
    connection.execute_batch("create table d1_migrations (name text unique) strict").unwrap();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "sql")) {
        let text = std::fs::read_to_string(file).unwrap();
        connection.execute_batch(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = file.file_name().and_then(|name| name.to_str());
        connection.execute("insert into d1_migrations (name) values (?1)", [name]).unwrap();
    }
    let lax: Vec<String> = connection
        .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and not strict and name not like 'sqlite_%'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert!(lax.is_empty(), "make these tables strict: {lax:?}");
}

/// Runs a statement twice, clearing its binds in between as workerd does, and asserts that SQLite did not recompile it:
/// <https://www.sqlite.org/c3ref/c_stmtstatus_counter.html>. Rolls back what it writes.
/// False: the statement fails, and nothing is known.
fn check_compiled_once(transaction: &mut Savepoint<'_>, statement: &Statement) -> Result<bool, Failure> {
    let before = (transaction.changes(), transaction.last_insert_rowid());
    let outcome = check_undone(transaction, statement);
    restore(transaction, before).map_err(failure)?;
    outcome
}

/// Restores `changes()` and `last_insert_rowid()` for statements that read them.
fn restore(connection: &Connection, (changes, rowid): (u64, i64)) -> rusqlite::Result<()> {
    connection.execute_batch("delete from temp.inserted; delete from temp.changed")?;
    connection.execute("insert into temp.inserted values (?1)", [rowid])?;
    let numbers = "with recursive n(id) as (select 1 union all select id + 1 from n limit ?1)";
    let changed = format!("{numbers} insert into temp.changed select id from n where ?1 > 0");
    connection.execute(&changed, [changes as i64])?;
    Ok(())
}

fn check_undone(transaction: &mut Savepoint<'_>, statement: &Statement) -> Result<bool, Failure> {
    let savepoint = transaction.savepoint().map_err(failure)?;
    let runs = execute(&savepoint, statement).and_then(|_| execute(&savepoint, statement));
    // a failing statement fails again in its real run, which reports the error
    let Ok(prepared) = savepoint.prepare_cached(&statement.sql) else { return Ok(false) };
    // the real run counts alone, whichever tests ran before
    prepared.reset_status(StatementStatus::VmStep);
    match prepared.get_status(StatementStatus::RePrepare) {
        _ if runs.is_err() => Ok(false),
        0 => Ok(true),
        _ => Err(Failure::Other(format!("compiled again at each use, for a bare bind: {}", statement.sql))),
    }
}

/// Compares the counters of bytes with the rows: every route that stores something counts it.
fn check_bytes(connection: &Connection) -> Result<(), Failure> {
    // the last four queries
    let recount = include_str!("../storage/recount.sql").rsplit(';').skip(1).take(4);
    let texts = |sql: &str| -> Vec<String> {
        let mut prepared = connection.prepare_cached(sql).unwrap();
        prepared.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let wrong: Vec<String> = recount.flat_map(texts).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Other(format!("bytes are counted wrong: {wrong:?}"))) }
}

/// The `select` whose rows still have their columns, which cross as one JSON list.
fn of_columns(text: &str) -> &str {
    let inner = text.strip_prefix("select json_array(").and_then(|text| text.split_once(") as row from ("));
    inner.and_then(|(_, inner)| inner.strip_suffix(')')).unwrap_or(text)
}

/// SQLite would take the first of two columns with one name, and an object of JavaScript the last.
fn check_columns(connection: &Connection, sql: &str) -> Result<(), Failure> {
    let inner = of_columns(sql);
    if inner == sql {
        return Ok(());
    }
    let prepared = connection.prepare(inner).map_err(failure)?;
    let mut names: Vec<&str> = prepared.column_names().collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Failure::Other(format!("two columns {}: {inner:.300}", pair[0]))),
        None => Ok(()),
    }
}

/// The depth of a statement's expressions, or its number of table cursors if that is larger: since 3.54 SQLite has one
/// limit for both if there is a common table expression. At least `known`, which most statements are within.
fn depth(connection: &Connection, sql: &str, known: i32) -> i32 {
    let usual = connection.limit(Limit::SQLITE_LIMIT_EXPR_DEPTH).unwrap();
    let compiles = |limit| {
        connection.set_limit(Limit::SQLITE_LIMIT_EXPR_DEPTH, limit).unwrap();
        connection.prepare(sql).is_ok()
    };
    let (mut too_few, mut enough) = if compiles(known) { (known, known) } else { (known, usual) };
    while enough - too_few > 1 {
        let middle = (too_few + enough) / 2;
        if compiles(middle) { enough = middle } else { too_few = middle }
    }
    connection.set_limit(Limit::SQLITE_LIMIT_EXPR_DEPTH, usual).unwrap();
    enough
}

fn execute(connection: &Connection, statement: &Statement) -> Result<Answer, Failure> {
    let refused = |why: String| Failure::Other(format!("{why}: {:.80}", statement.sql));
    let verb = statement.sql.split_whitespace().next().unwrap_or_default().to_lowercase();
    if !["select", "insert", "update", "delete", "with"].contains(&verb.as_str()) {
        return Err(refused(format!("D1 takes no {verb}")));
    }
    let mut prepared = connection.prepare_cached(&statement.sql).map_err(failure)?;
    if prepared.parameter_count() != statement.binds.len() {
        let (given, wanted) = (statement.binds.len(), prepared.parameter_count());
        return Err(refused(format!("{given} binds for {wanted} places")));
    }
    let names: Vec<String> = prepared.column_names().map(str::to_owned).collect();
    let is_json = names.len() == 1 && (names[0] == "row" || names[0] == "v");
    for (at, value) in statement.binds.iter().enumerate() {
        let place = at + 1;
        match value {
            Value::Null => prepared.raw_bind_parameter(place, rusqlite::types::Null),
            // D1 binds every number as REAL
            Value::Int(number) if (-EXACT..=EXACT).contains(number) => {
                prepared.raw_bind_parameter(place, *number as f64)
            }
            Value::Int(number) => return Err(refused(format!("{number} is beyond 2^53"))),
            Value::Real(number) if number.is_finite() => prepared.raw_bind_parameter(place, number),
            Value::Real(number) => return Err(refused(format!("{number} is no number"))),
            Value::Text(text) => prepared.raw_bind_parameter(place, text),
        }
        .map_err(failure)?;
    }
    let changed = connection.total_changes();
    let mut texts = Vec::new();
    let mut rows = prepared.raw_query();
    while let Some(row) = rows.next().map_err(failure)? {
        if !is_json {
            texts.push(object(&names, row).map_err(&refused)?);
            continue;
        }
        match row.get_ref(0).map_err(failure)? {
            ValueRef::Text(bytes) if is_json_text(bytes) => {
                texts.push(String::from_utf8(bytes.to_vec()).map_err(|error| refused(error.to_string()))?);
            }
            other => return Err(refused(format!("a row that is no JSON text: {other:?}"))),
        }
    }
    let rows_written = connection.total_changes() - changed;
    Ok(Answer { rows_read: texts.len() as u64, rows: texts, rows_written, millis: 0.0 })
}

/// Unlike `from_slice`, this is compiled in the library, optimized.
fn is_json_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.parse::<serde_json::Value>().is_ok())
}

/// A row as D1 returns it: an object by column names, with JavaScript's numbers.
fn object(names: &[String], row: &rusqlite::Row<'_>) -> Result<String, String> {
    let mut members = serde_json::Map::new();
    for (at, name) in names.iter().enumerate() {
        let value = match row.get_ref(at).map_err(|error| error.to_string())? {
            ValueRef::Null => serde_json::Value::Null,
            ValueRef::Integer(number) if (-EXACT..=EXACT).contains(&number) => number.into(),
            ValueRef::Real(number) if number.fract() == 0.0 && number.abs() <= EXACT as f64 => (number as i64).into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(bytes) => std::str::from_utf8(bytes).map_err(|error| error.to_string())?.into(),
            other => return Err(format!("a column that no JSON holds: {other:?}")),
        };
        if members.insert(name.clone(), value).is_some() {
            return Err(format!("two columns are called {name}"));
        }
    }
    Ok(serde_json::Value::Object(members).to_string())
}

/// The error with its place in the statement, without the whole text.
fn described(error: rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, sql, offset, .. } => {
            let rest: String = sql.chars().skip(usize::try_from(offset).unwrap_or_default()).take(80).collect();
            format!("{msg} at `{rest}`")
        }
        error => error.to_string(),
    }
}

fn failure(error: rusqlite::Error) -> Failure {
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => Failure::Constraint(error.to_string()),
        _ => Failure::from_d1(&described(error)),
    }
}
