//! Creates an issue in one round trip (behaviour 6.2).

use super::commands::{self, Command, Target, split};
use super::record::{self, Draft, NewFields};
use super::texts::{MOST_LABELS_OF_ISSUE, label_names, mentions, people};
use super::{IssueRow, MilestoneRef, References, writing};
use crate::areas::events;
use crate::kernel::call::Key;
use crate::kernel::call::commit::{Change, WrittenRow};
use crate::kernel::call::idempotency::{self, StoredAnswer};
use crate::kernel::policy;
use crate::kernel::time;
use crate::kernel::{Action, Call, Entry, Error, Patch, Result, Statement, ValidationErrors};
use serde_json::json;

pub async fn create(call: &Call<'_>, input: Result<(Draft, ValidationErrors)>) -> Result<WrittenRow<IssueRow>> {
    let mut input = input.map(|(draft, mut errors)| (draft.checked(&mut errors), errors));
    if let Ok((draft, _)) = &mut input
        && let Some((rest, commands)) = draft.fields.description.as_ref().and_then(|text| split(text, call.dialect))
    {
        draft.fields.description = Some(rest).filter(|rest| !rest.is_empty());
        if let Some(kept) = draft.obey(call, &commands).await? {
            return WrittenRow::kept(kept);
        }
    }
    let change = input.as_ref().map_err(Error::clone).and_then(|(draft, errors)| {
        let query = draft.milestone().references(draft.fields.assignee_id);
        let (key, base) = (call.idempotency_key()?, call.links(false).base);
        let keep = key.as_ref().map(|Key { hash, digest, .. }| writing::keep { key: hash, digest, base }.into());
        let steps = if errors.is_empty() { draft.steps(call) } else { Vec::new() };
        Ok(Change { steps, keep, key, query, only_adds: true })
    });
    call.commit(change, |entry, found| {
        input.and_then(|(draft, errors)| draft.refusal(call, entry, found.unwrap_or_default(), errors))
    })
    .await
}

impl Draft {
    fn checked(mut self, errors: &mut ValidationErrors) -> Draft {
        self.title = self.title.trim().to_owned();
        if self.title.is_empty() && !errors.has("title") {
            errors.missing("title");
        }
        let fields = &mut self.fields;
        if fields.due_date.as_deref().is_some_and(|date| time::date(date).is_none()) {
            errors.add("due_date", "is invalid");
        }
        fields.labels = label_names(std::mem::take(&mut fields.labels), errors);
        // clients send 0 for no assignee and no milestone
        fields.assignee_id.take_if(|id| *id == 0);
        fields.milestone_id.take_if(|id| *id == 0);
        self
    }

    /// Adds what the commands of the description do. Most are about an issue that there is, and do nothing. Returns the
    /// kept answer, if there is one.
    async fn obey(&mut self, call: &Call<'_>, commands: &[Command]) -> Result<Option<StoredAnswer>> {
        if commands.is_empty() {
            return Ok(None);
        }
        let key = call.idempotency_key()?;
        let query = (commands::query(commands, None), key.as_ref().map(|key| key.kept(call)));
        let (entry, (named, kept)) = call.authorize(query).await?;
        if let Some(kept) = idempotency::read(key.as_ref(), kept.as_ref())? {
            return Ok(Some(kept));
        }
        let (mut change, mut found) = (record::Change::default(), References::default());
        Target::new(call, &entry, None, named)?.apply(commands, &mut change, &mut found);
        let record::Change { fields: changed, add_labels, times, .. } = change;
        let fields = &mut self.fields;
        fields.labels.extend(add_labels);
        fields.assignee_id = changed.assignee_id.set().copied().or(fields.assignee_id);
        fields.due_date = changed.due_date.set().cloned().or(fields.due_date.take());
        fields.confidential |= changed.confidential == Some(true);
        if let Patch::Set(id) = changed.milestone_id {
            (fields.milestone_id, self.milestone) = (Some(id), None);
        }
        self.times = times;
        Ok(None)
    }

    fn milestone(&self) -> MilestoneRef {
        MilestoneRef { id: self.fields.milestone_id, title: self.milestone.clone() }
    }

    fn steps(&self, call: &Call<'_>) -> Vec<Statement> {
        let (plans, sets_times) = (least(Action::EditAnyIssue), least(Action::SetTimes));
        let Draft { title, fields, milestone, .. } = self;
        let NewFields { assignee_id, milestone_id, .. } = *fields;
        let (title, milestone, description) = (title.as_str(), milestone.as_deref(), fields.description.as_deref());
        let created_at = fields.created_at.as_deref().and_then(time::read);
        let is_time = fields.created_at.is_none() || created_at.is_some();
        let issue_id = None::<i64>;
        let mut steps: Vec<Statement> = vec![
            writing::expect_creatable { plans, sets_times, is_time, assignee_id, milestone_id, milestone }.into(),
            self.insert(plans, sets_times),
        ];
        if !fields.labels.is_empty() {
            let names = json!(fields.labels).to_string();
            steps.push(writing::add_labels { names: names.as_str(), plans }.into());
            steps.push(writing::put_labels_on { issue_id, names, plans, most: MOST_LABELS_OF_ISSUE as i64 }.into());
        }
        if !fields.labels.is_empty() || milestone_id.is_some() || milestone.is_some() {
            steps.push(writing::add_events_of_creation {}.into());
        }
        if assignee_id.is_some() {
            steps.push(writing::add_todo_of_assignee { issue_id }.into());
        }
        let text = description.unwrap_or_default();
        if let Some(names) = people(&mentions(&[title, text]), text) {
            let confidential_level = policy::confidential_level();
            steps.push(writing::take_part { issue_id, names: names.as_str(), confidential_level }.into());
            steps.push(writing::add_todos_of_mentioned { issue_id, names, confidential_level }.into());
        }
        steps.extend([events::issue_opened(call, None), writing::created {}.into()]);
        steps
    }

    fn refusal(
        &self,
        call: &Call<'_>,
        entry: &Entry,
        found: References,
        mut errors: ValidationErrors,
    ) -> Result<Error> {
        if !entry.resource.has_issues() {
            return Err(Error::FORBIDDEN);
        }
        if entry.resource.may(Action::EditAnyIssue) {
            found.check(self.fields.assignee_id, &self.milestone(), call.dialect, &mut errors);
        }
        let created_at = self.fields.created_at.as_deref().filter(|_| entry.resource.may(Action::SetTimes));
        errors.read_time("created_at", created_at);
        errors.result().map(|()| Error::Expectation)
    }
}

pub fn least(action: Action) -> i64 {
    policy::least(action).0.level()
}
