import re
import traceback
import unittest
from typing import Any

from checktoken_client import Answer, CheckToken, CheckTokenError

from .support import CASES, CERTIFICATE, TOKENS, PlatformTest, proof

# Nothing of this may be seen in an answer or an error that is printed.
SECRET = re.compile(r"eyJ|published-for-tests|Moreau|Camille|1988-03-14|da87b1dd|75107")


class CasesTest(PlatformTest):
    def test_each_client_gets_what_each_case_says(self) -> None:
        for registered in CASES["clients"]:
            client = self.client(registered)
            for case in CASES["cases"]:
                if case.get("client", registered["client_id"]) == registered["client_id"]:
                    with self.subTest(client=registered["client_id"], case=case["name"]):
                        self.check_case(client, registered, case)
        self.assertEqual(0, self.platform.calls_elsewhere())

    def check_case(self, client: CheckToken, registered: Any, case: Any) -> None:
        if case.get("http", {}).get("stall"):
            client = self.client(registered, seconds=2)
        if "before" in case:
            client.check(TOKENS[case["before"]])
        token = TOKENS[case["name"]]
        cnf = case.get("expect", {}).get("cnf", {})
        try:
            answer = client.check(
                token,
                dpop=proof(token) if "jkt" in cnf else None,
                certificate=CERTIFICATE if "x5t#S256" in cnf else None,
            )
        except CheckTokenError as error:
            self.assertNotRegex(repr(error) + str(error) + repr(vars(error)), SECRET)
            self.assertIsNone(error.__cause__)
            self.assertNotRegex("".join(traceback.format_exception_only(error)), SECRET)
            self.assertIn(error.reason, [case.get("reason"), *case.get("or", [])])
            self.assertEqual(503, error.status)
            self.assertRegex(str(error), r"^[ -~]+$")
            if "says" in case:
                self.assertTrue(str(error).endswith(f" (status-503: {case['says']})"), str(error))
        else:
            self.assertIn("expect", case, "accepted")
            self.assertNotRegex(repr(answer) + str(answer) + f"{answer}", SECRET)
            self.expect_answer(answer, case["expect"])

    def expect_answer(self, answer: Answer, expect: Any) -> None:
        active = expect["kind"] != "inactive"
        self.assertEqual((active, active), (answer.active, bool(answer)))
        if not active:
            self.refuses("inactive", lambda: answer.require("tax_income"))
            self.assertEqual({"active": False}, answer.unchecked())
            return
        unknown = "example" in expect.get("cnf", {})
        self.refuses("not-proven" if unknown else "insufficient-scope", lambda: answer.require("tax"))
        self.assertRaises(CheckTokenError, answer.require, "")
        if unknown or not expect["scope"]:
            return
        access = answer.require(*expect["scope"])
        self.assertEqual("sp-town", access.client_id)
        if expect["kind"] == "machine":
            self.refuses("machine", access.person)
            return
        person = access.person()
        self.assertNotRegex(repr(person) + repr(access), SECRET)
        identity = person.identity()
        claims = {"sub": person.sub, **identity, **expect.get("claims", {})}
        self.assertEqual({"sub": person.sub, **identity}, claims)
        self.assertFalse({"cnf", "scope", "active"} & identity.keys())

    def refuses(self, reason: str, action: Any) -> None:
        with self.assertRaises(CheckTokenError) as raised:
            action()
        self.assertEqual(reason, raised.exception.reason)


if __name__ == "__main__":
    unittest.main()
