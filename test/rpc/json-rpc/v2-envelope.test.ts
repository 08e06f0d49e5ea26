import { describe, expect, it } from "vitest";
import { type Api, ServiceError } from "../../../server/errors.js";
import { v3Failure } from "../../../server/http/answers/refusal.js";
import type { Outcome } from "../../../server/rpc/dispatch.js";
import { messageOf } from "../../../server/rpc/json-rpc/message.js";
import { strictError } from "../../../server/rpc/json-rpc/strict-dialect.js";
import { v2Answer, v2Failure } from "../../../server/rpc/json-rpc/v2-envelope.js";

const outcomeOf = (call: object, more: object = {}) =>
  ({
    json: '{"a":1}',
    durationMs: 12.6,
    call: { startedAt: 1_700_000_000_999, ...call },
    ...more,
  }) as Outcome;
const extraOf = (outcome: Outcome) => JSON.parse(String(v2Answer(outcome, "v2")))["@extra"];

describe("an answer of v2", () => {
  it("has the result and what the caller adds", () => {
    expect(v2Answer(outcomeOf({}), "v2")).toBe('{"ok":true,"result":{"a":1},"@extra":"1700000000:_:13"}');
    expect(JSON.parse(String(v2Answer(outcomeOf({}), "v2", ',"id":5')))).toMatchObject({ ok: true, id: 5 });
  });

  it("says when it was asked, whom, how long it took and whether it was kept", () => {
    expect(extraOf(outcomeOf({ asked: new Set([3, 1]) }))).toBe("1700000000:3,1:13");
    expect(extraOf(outcomeOf({ asked: new Set() }))).toBe("1700000000:_:13");
    expect(extraOf(outcomeOf({ cached: true }))).toBe("1700000000:_:13:c");
    expect(extraOf({ json: "1", durationMs: 5 })).toBe("_");
  });

  const failure = (error: ServiceError, api: Api = "v2", tail = "") =>
    JSON.parse(v2Failure(error, "x", api, tail));

  it("has an error's words beside its text, which stays as it is", () => {
    const words = { sentence: "Ann refused the message.", hint: "Sign anew." };
    const refused = new ServiceError("message-rejected", "LITE_SERVER_UNKNOWN: refused", { words });
    const text = { error: "LITE_SERVER_UNKNOWN: refused", ...words };
    expect(failure(refused, "v2", ',"id":5')).toEqual({
      ok: false,
      ...text,
      code: 500,
      "@extra": "x",
      id: 5,
    });
    expect(JSON.parse(v3Failure(refused))).toEqual(text);
    expect(JSON.parse(strictError(1, refused))).toEqual({
      ...{ jsonrpc: "2.0", id: 1, ok: false },
      error: {
        code: -32000,
        message: words.sentence,
        data: { code: 500, kind: "message-rejected", error: text.error, hint: words.hint },
      },
    });
  });

  it("has the text and the status of an error in its interface", () => {
    expect(failure(new ServiceError("unavailable"))).toEqual({
      ok: false,
      error: "No working liteservers",
      code: 503,
      "@extra": "x",
    });
    expect(failure(new ServiceError("unavailable"), "v3", ',"id":5')).toMatchObject({
      error: "database is not available",
      id: 5,
    });
  });

  it("lacks the extra text where old clients compare it, and repeats the text of a rate limit", () => {
    const bare = ["unknown-key", "wrong-network", "rate-limited"] as const;
    for (const code of bare) expect(failure(new ServiceError(code))).not.toHaveProperty("@extra");
    expect(failure(new ServiceError("rate-limited"))).toEqual({
      ok: false,
      error: "Ratelimit exceeded",
      result: "Ratelimit exceeded",
      code: 429,
    });
    expect(failure(new ServiceError("unknown-key"))).not.toHaveProperty("result");
  });
});

it("a batch that is too large tells the limit, and that it is the limit of batches", () => {
  expect(() => messageOf([1, 2, 3], 2)).toThrow(
    expect.objectContaining({
      code: "too-large",
      message: "batch is too large: 3 calls, at most 2",
      data: { max: 2, limit: "batch" },
    }),
  );
});
