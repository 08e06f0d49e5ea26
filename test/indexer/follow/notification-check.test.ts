import { expect, test } from "vitest";
import { NotificationCheck } from "../../../server/indexer/follow/notification-check.js";
import { until } from "../../helpers/until.js";

test("Notifications that a pooler loses are missed, and found again once they arrive", async () => {
  let isLost = false;
  const changes: boolean[] = [];
  const sent: string[] = [];
  const check: NotificationCheck = new NotificationCheck({
    send: async (text) => {
      sent.push(text);
      if (!isLost) expect(check.heard(text)).toBe(true);
    },
    onChange: () => changes.push(check.isFailing),
    everyMs: 1,
    maxMs: 1,
  });
  const ending = new AbortController();
  const ended = check.run(ending.signal);
  await until("three checks", () => sent.length >= 3);
  expect([changes, check.lost]).toEqual([[], 0]);
  isLost = true;
  await until("the failure", () => check.isFailing);
  // Checks of other processes prove nothing of this connection.
  expect([check.heard("check of another"), check.heard("12 5")]).toEqual([true, false]);
  expect(check.isFailing).toBe(true);
  await until("the next failure", () => check.lost >= 2);
  isLost = false;
  await until("the next check", () => !check.isFailing);
  ending.abort();
  await ended;
  expect(changes).toEqual([true, false]);
  expect(new Set(sent).size).toBe(sent.length);
});

test("A notification that cannot be sent does not arrive", async () => {
  const failed = new AbortController();
  const check = new NotificationCheck({
    send: () => Promise.reject(new Error("gone")),
    onChange: () => failed.abort(),
    everyMs: 1,
    maxMs: 1,
  });
  await check.run(failed.signal);
  expect(check.isFailing).toBe(true);
});

test("A notification that arrives late ends the failure at once", async () => {
  const failed = new AbortController();
  const sent: string[] = [];
  const changes: boolean[] = [];
  const check: NotificationCheck = new NotificationCheck({
    send: async (text) => {
      sent.push(text);
    },
    onChange: () => {
      changes.push(check.isFailing);
      failed.abort();
    },
    everyMs: 1,
    maxMs: 1,
  });
  await check.run(failed.signal);
  const [text] = sent;
  expect([changes, check.lost, sent]).toEqual([[true], 1, [text]]);
  check.heard(`${text}0`);
  expect(check.isFailing).toBe(true);
  check.heard(text!);
  expect([changes, check.isFailing, check.lost]).toEqual([[true, false], false, 1]);
});
