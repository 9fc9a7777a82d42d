"""What hooks send, read by receivers in Python: the reference library of Standard Webhooks, gidgetlab 2.1.2, the fields that
Zulip's integration reads, and Buildbot's. DELIVERIES is the file of tests/clients/hooks/deliveries.mjs."""
import base64
import json
import os
import unittest
from datetime import datetime, timedelta, timezone
from unittest import mock

from gidgetlab.exceptions import ValidationFailure
from gidgetlab.sansio import Event
from standardwebhooks import Webhook, WebhookVerificationError

with open(os.environ["DELIVERIES"]) as file:
    FOUND = json.load(file)
SECRETS = FOUND["secrets"]
DELIVERIES = [(one["hook"], one["headers"], base64.b64decode(one["body"])) for one in FOUND["deliveries"]]
ARRIVALS = {one["headers"]["webhook-id"]: one["at"] / 1000 for one in FOUND["deliveries"]}

ISSUE = ["user.name", "object_attributes.action", "object_attributes.iid", "object_attributes.url", "object_attributes.title"]
NOTE = ["user.name", "object_attributes.url", "object_attributes.note"]
ON_ISSUE = NOTE + ["project.web_url", "issue.iid", "issue.title"]
# The names of events in zerver/webhooks/gitlab/view.py: the header, with the action of an issue or the kind of a noteable.
ZULIP = {
    "Push Hook": ["user_name", "before", "after", "ref", "project.web_url", "commits.*.author.name", "commits.*.id",
                  "commits.*.message", "commits.*.url"],
    "Tag Push Hook": ["user_name", "ref"],
    **{f"{kind} {action}": ISSUE for kind in ("Issue Hook", "Confidential Issue Hook")
       for action in ("open", "close", "reopen", "update")},
    "Note Hook Commit": NOTE + ["commit.url", "commit.id"],
    "Note Hook Issue": ON_ISSUE,
    "Confidential Note Hook Issue": ON_ISSUE,
    "Pipeline Hook": ["object_attributes.status", "object_attributes.ref", "builds.*.name", "builds.*.status"],
}
# Zulip answers 400 to these from GitLab, too: they are not among its events.
UNKNOWN_TO_ZULIP = {"Deployment Hook", "Milestone Hook", "Emoji Hook", "Release Hook"}
BUILDBOT = ["ref", "user_name", "repository.name", "repository.url", "commits.*.id", "commits.*.timestamp",
            "commits.*.author.name", "commits.*.author.email", "commits.*.message", "commits.*.url", "commits.*.added.*",
            "commits.*.modified.*", "commits.*.removed.*"]


def of(hook):
    return [(headers, body) for name, headers, body in DELIVERIES if name == hook]


def verified(key, headers, body):
    """The library's answer at the time when the request came."""
    class Then(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.fromtimestamp(ARRIVALS[headers["webhook-id"]], tz)

    with mock.patch("standardwebhooks.webhooks.datetime", Then):
        return Webhook(SECRETS[key]).verify(body, headers)


def zulip_event(headers, payload):
    event = headers["x-gitlab-event"]
    if "Issue" in event:
        return f'{event} {payload["object_attributes"]["action"]}'
    if "Note" in event:
        return f'{event} {payload["object_attributes"]["noteable_type"]}'
    return event


def values(payload, path):
    """The values at a path; `*` is each item of a list."""
    found = [payload]
    for name in path.split("."):
        found = [item for value in found for item in value] if name == "*" else [value[name] for value in found]
    return found


class StandardWebhooks(unittest.TestCase):
    def test_the_vector_of_the_specification(self):
        webhook = Webhook("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        at = datetime.fromtimestamp(1790000000, tz=timezone.utc)
        signature = webhook.sign("7f0c5e2a-6c1e-4a53-9a55-0d7b0f3b9f11", at, '{"object_kind":"push"}')
        self.assertEqual(signature, "v1,B70oE8zfHmZ7h+2uwMhhpQclgC0VTLLbb17Zq9oMQa8=")

    def test_every_signature_is_accepted_by_the_secret_before_too(self):
        for hook, keys in (("whole", ("signing", "before")), ("system", ("system",))):
            self.assertGreater(len(of(hook)), 5)
            for headers, body in of(hook):
                for key in keys:
                    self.assertEqual(verified(key, headers, body), json.loads(body))

    def test_one_changed_byte_is_refused(self):
        for headers, body in of("whole"):
            for at in range(0, len(body), max(1, len(body) // 9)):
                changed = body[:at] + bytes([body[at] ^ 1]) + body[at + 1:]
                # a text that is no UTF-8 is not decoded
                with self.assertRaises((WebhookVerificationError, UnicodeDecodeError)):
                    verified("signing", headers, changed)
            with self.assertRaisesRegex(WebhookVerificationError, "No matching signature"):
                verified("signing", {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}, body)

    def test_another_secret_and_a_time_six_minutes_ago_are_refused(self):
        headers, body = of("whole")[0]
        with self.assertRaisesRegex(WebhookVerificationError, "No matching signature"):
            verified("system", headers, body)
        webhook = Webhook(SECRETS["signing"])
        then = datetime.fromtimestamp(ARRIVALS[headers["webhook-id"]], timezone.utc) - timedelta(minutes=6)
        signature = webhook.sign(headers["webhook-id"], then, body.decode())
        old = {**headers, "webhook-timestamp": str(int(then.timestamp())), "webhook-signature": signature}
        with self.assertRaisesRegex(WebhookVerificationError, "too old"):
            verified("signing", old, body)


class Gidgetlab(unittest.TestCase):
    def test_it_reads_every_payload_and_checks_the_token(self):
        for hook, secret in (("whole", SECRETS["token"]), ("bare", None), ("system", None)):
            for headers, body in of(hook):
                event = Event.from_http(headers, body, secret=secret)
                self.assertEqual(event.event, headers["x-gitlab-event"])
                self.assertIsInstance(event.project_id, int)
                if "object_attributes" in event.data:
                    self.assertIsInstance(event.object_attributes["id"], int)
                with self.assertRaises(ValidationFailure):
                    Event.from_http(headers, body, secret="another")

    def test_without_the_secret_it_refuses_a_token(self):
        with self.assertRaises(ValidationFailure):
            Event.from_http(*of("whole")[0])


class Fields(unittest.TestCase):
    def test_zulip_finds_every_event_in_its_table_and_the_fields_of_its_message(self):
        seen = set()
        for headers, body in of("whole"):
            payload = json.loads(body)
            event = zulip_event(headers, payload)
            seen.add(event)
            self.assertIsInstance(payload["project"]["name"], str)
            if event in UNKNOWN_TO_ZULIP:
                continue
            for path in ZULIP[event]:
                for value in values(payload, path):
                    self.assertTrue(value, f"{event}: {path}")
            self.assertIsInstance(payload.get("assignees", []), list)
        self.assertEqual(seen, set(ZULIP) - {f"Confidential Issue Hook {action}" for action in ("close", "reopen")} | UNKNOWN_TO_ZULIP)

    def test_buildbot_finds_what_it_makes_a_change_of(self):
        pushes = [json.loads(body) for headers, body in of("whole") if headers["x-gitlab-event"] in ("Push Hook", "Tag Push Hook")]
        files = set()
        for payload in pushes:
            self.assertIn(payload["object_kind"], ("push", "tag_push"))
            for path in BUILDBOT:
                for value in values(payload, path):
                    self.assertTrue(value, path)
            for commit in payload["commits"]:
                self.assertLess(datetime.fromisoformat(commit["timestamp"]), datetime.now(tz=timezone.utc) + timedelta(minutes=1))
                files |= {name for kind in ("added", "modified", "removed") for name in commit[kind]}
        self.assertEqual(len(pushes), 8)
        self.assertEqual(files, {"a.txt", "b.txt", "c.txt", "d.txt"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
