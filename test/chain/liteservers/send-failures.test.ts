import { expect, test } from "vitest";
import { ConnectionError } from "../../../server/chain/adnl/connection-error.js";
import { SendFailures } from "../../../server/chain/liteservers/send-failures.js";
import { NoAnswerError } from "../../../server/chain/no-answer-error.js";

const lost = new ConnectionError("lost", "the connection was closed");
const late = new NoAnswerError();

test.each([
  [lost, late],
  [late, lost],
])(
  "A message that timed out at one server and was lost at another is reported as timed out",
  async (...errors) => {
    const failures = new SendFailures();
    expect(await failures.first(errors.map((error) => Promise.reject(error)))).toBeUndefined();
    expect(failures.problem).toBe(late);
  },
);

test("A message that was lost at all servers is reported as unavailable", async () => {
  const failures = new SendFailures();
  await failures.first([Promise.reject(lost), Promise.reject(lost)]);
  expect(failures.problem).toMatchObject({ code: "unavailable", cause: lost });
});
