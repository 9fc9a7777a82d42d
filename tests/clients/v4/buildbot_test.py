"""A real Buildbot 4.3 master with a worker of its own: it builds one commit with two builders, and its GitLabStatusPush
reports both to /api/v4. The environment is that of tests/clients/world.mjs, and BUILDBOT: the program."""
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.request
import uuid

SERVER, PROJECT, SHA = os.environ["BASE_URL"], os.environ["PROJECT_ID"], os.environ["COMMIT_SHA"]
CONTEXT = "buildbot-" + uuid.uuid4().hex[:8]

MASTER = """
from buildbot.plugins import changes, reporters, schedulers, steps, util, worker
from buildbot.changes.base import ReconfigurablePollingChangeSource

class Once(ReconfigurablePollingChangeSource):
    sent = False

    def poll(self):
        if self.sent:
            return None
        self.sent = True
        return self.master.data.updates.addChange(
            files=["a.txt"], author="tester", comments="message", revision={sha!r}, branch="master",
            repository="https://git.example.com/{path}.git")

def factory(command):
    return util.BuildFactory([steps.ShellCommand(command=command)])

c = BuildmasterConfig = {{}}
c["workers"] = [worker.LocalWorker("w1")]
c["protocols"] = {{"null": {{}}}}
c["change_source"] = [Once(name="once", pollInterval=2)]
c["schedulers"] = [schedulers.AnyBranchScheduler(name="all", builderNames=["good", "bad"], treeStableTimer=None)]
c["builders"] = [
    util.BuilderConfig(name="good", workernames=["w1"], factory=factory(["true"])),
    util.BuilderConfig(name="bad", workernames=["w1"], factory=factory(["false"])),
]
c["services"] = [reporters.GitLabStatusPush(
    token={token!r}, baseURL={server!r}, verbose=True, context=util.Interpolate("{context}/%(prop:buildername)s"))]
c["title"], c["titleURL"], c["buildbotURL"] = "t", "http://127.0.0.1/", "http://127.0.0.1:8010/"
c["buildbotNetUsageData"] = None
c["db"] = {{"db_url": "sqlite:///state.sqlite"}}
"""


def statuses():
    """State by builder, of this run."""
    address = f"{SERVER}/api/v4/projects/{PROJECT}/repository/commits/{SHA}/statuses?all=true&per_page=100"
    found = {}
    while address:
        request = urllib.request.Request(address, headers={"PRIVATE-TOKEN": os.environ["TOKEN"]})
        with urllib.request.urlopen(request, timeout=20) as answer:
            for status in json.load(answer):
                context, _, builder = status["name"].partition("/")
                if context == CONTEXT:
                    found[builder] = (status["status"], status["ref"], status["target_url"])
            links = [link.split("; ") for link in (answer.headers.get("Link") or "").split(", ")]
            address = next((link[0][1:-1] for link in links if link[-1] == 'rel="next"'), None)
    return found


class Buildbot(unittest.TestCase):
    def test_both_builds_of_a_commit_are_reported(self):
        folder, program = tempfile.mkdtemp(prefix="buildbot-"), os.environ["BUILDBOT"]
        environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
        master = None
        try:
            subprocess.run([program, "create-master", "-q", folder], env=environment, check=True)
            with open(os.path.join(folder, "master.cfg"), "w") as file:
                token, path = os.environ["TOKEN"], os.environ["PROJECT_PATH"]
                file.write(MASTER.format(sha=SHA, path=path, token=token, server=SERVER, context=CONTEXT))
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            master = subprocess.Popen([program, "start", "--nodaemon", folder], env=environment, **quiet)
            until, found = time.time() + 120, {}
            while master.poll() is None and time.time() < until and [found.get(name, [""])[0] for name in ("good", "bad")] != ["success", "failed"]:
                time.sleep(1)
                found = statuses()
            with open(os.path.join(folder, "twistd.log")) as file:
                told = file.read()
            self.assertEqual({name: status[:2] for name, status in found.items()},
                             {"good": ("success", "master"), "bad": ("failed", "master")}, told[-3000:])
            self.assertTrue(all(status[2].startswith("http://127.0.0.1:8010/") for status in found.values()))
            self.assertNotIn("Could not send status", told)
        finally:
            if master:
                master.terminate()
                master.wait(timeout=20)
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
