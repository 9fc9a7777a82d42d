"""python-gitlab 1.4.0, unmodified, against a server that lets a token ask five times a minute: what it sends by its
`http_request` waits as long as the server says and goes on by itself. The environment has BASE_URL and ADMIN_TOKEN."""
import os
import time
import unittest
import warnings

warnings.simplefilter("ignore")
import gitlab


class RateLimited(unittest.TestCase):
    def setUp(self):
        self.api = gitlab.Gitlab(os.environ["BASE_URL"], os.environ["ADMIN_TOKEN"], api_version="3", timeout=20)
        # start so late in a minute that the limit is used up before its end, and the wait is short
        time.sleep((47 - time.time()) % 60)

    def test_it_goes_on_by_itself(self):
        answers, began = [], time.time()
        for _ in range(8):
            answers.append(self.api.http_get("/user")["username"])
        waited = time.time() - began
        self.assertEqual(answers, ["root"] * 8)
        self.assertTrue(3 < waited < 30, "it waited %.1f s" % waited)
        print("\neight requests where five a minute are allowed: %.1f s, none refused" % waited)

    def test_without_its_own_retry_it_is_told_to_wait(self):
        with self.assertRaises(gitlab.GitlabHttpError) as caught:
            for _ in range(8):
                self.api.http_get("/user", obey_rate_limit=False)
        self.assertEqual(caught.exception.response_code, 429)


if __name__ == "__main__":
    unittest.main(verbosity=2)
