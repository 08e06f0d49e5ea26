import { expect, it } from "vitest";
import { ExecutorError } from "../../server/chain/executor/executor-error.js";
import { UnavailableError } from "../../server/chain/unavailable-error.js";
import { ServiceError } from "../../server/errors.js";
import { serviceErrorOf } from "../../server/methods/chain-errors.js";
import { LiteError } from "../../shared/ton/lite/lite-api.js";
import { RunError } from "../../shared/ton/run/run-error.js";
import { StackError } from "../../shared/ton/tvm/stack.js";

it.each([
  [new UnavailableError(), "unavailable", 503, "No working liteservers"],
  [new UnavailableError("The devnet cannot be reached"), "unavailable", 503, "The devnet cannot be reached"],
  [new ExecutorError("timeout", "secret"), "timeout", 504, "Liteserver timeout"],
  [
    ExecutorError.stopped(5000),
    "timeout",
    504,
    "The contract was stopped after 5000 ms of processor time, the limit of a single run",
  ],
  [new ExecutorError("aborted", "secret"), "timeout", 504, "Liteserver timeout"],
  [new ExecutorError("unavailable", "secret"), "unavailable", 503, "Too many contracts are running"],
  [new ExecutorError("invalid", "no such thing"), "liteserver-error", 500, "no such thing"],
  [new ExecutorError("too-large", "It has limits"), "liteserver-error", 500, "It has limits"],
  [new ExecutorError("crashed", "secret"), "internal", 500, "Internal error"],
  [new StackError("depth", "secret"), "liteserver-error", 500, "TVM stack size exceeds limit"],
  [new StackError("size", "secret"), "liteserver-error", 500, "TVM stack size exceeds limit"],
  [new RunError("too-many-libraries", "Too many"), "liteserver-error", 400, "Too many"],
  [new RunError("not-estimable", "estimate_fee: no"), "liteserver-error", 500, "estimate_fee: no"],
])("%s becomes %s with status %i and a text for callers", (error, code, status, text) => {
  const mapped = serviceErrorOf(error) as ServiceError;
  expect(mapped).toBeInstanceOf(ServiceError);
  expect([mapped.code, mapped.statusIn("v2"), mapped.textIn("v2")]).toEqual([code, status, text]);
});

it.each([new LiteError(651, "not yet"), new ServiceError("absent"), new TypeError("a defect")])(
  "%s is unchanged",
  (error) => {
    expect(serviceErrorOf(error)).toBe(error);
  },
);
