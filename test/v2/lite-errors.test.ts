import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../server/errors.js";
import { accountHandlers } from "../../server/methods/v2/accounts.js";
import { chainErrorOf, explainLiteError, withErrorContext } from "../../server/methods/v2/lite-errors.js";
import { bind, implement } from "../../server/rpc/bind.js";
import { accountMethods } from "../../shared/methods/v2/accounts.js";
import { LiteError } from "../../shared/ton/lite/lite-api.js";
import { wholeShard } from "../../shared/ton/tlb/block-id.js";
import { Address } from "../../shared/values/address.js";
import { noRunner } from "../helpers/http/chain-app.js";

describe("the error of a liteserver", () => {
  it.each([
    [601, "FAILURE"],
    [602, "ERROR"],
    [603, "WARNING"],
    [621, "PROTOVIOLATION"],
    [651, "NOTREADY"],
    [652, "TIMEOUT"],
    [653, "CANCELLED"],
    [0, "UNKNOWN"],
    [-400, "UNKNOWN"],
    [-701, "UNKNOWN"],
  ])("with code %i gets the prefix LITE_SERVER_%s", (code, name) => {
    const error = explainLiteError(new LiteError(code, "transaction hash mismatch"));
    expect([error.textIn("v2"), error.statusIn("v2"), error.data]).toEqual([
      `LITE_SERVER_${name}: transaction hash mismatch`,
      500,
      { liteserver_code: code },
    ]);
  });

  it.each([
    [651, "block (0,8000000000000000,5) is not in db", { not_found: true }],
    [-400, "cannot load block (0,8000000000000000,5) : ltdb: block not found", { not_found: true }],
    [651, "block (0,8000000000000000,5) is not applied", { retry_after: 1 }],
  ])("says in a member of its own whether the data are missing: %i %s", (code, text, data) => {
    expect(explainLiteError(new LiteError(code, text)).data).toEqual({ liteserver_code: code, ...data });
  });

  it("names the step that failed, once", async () => {
    const refused = withErrorContext(
      "outer: ",
      withErrorContext("inner: ", Promise.reject(new LiteError(651, "no"))),
    );
    await expect(refused).rejects.toThrow(/^inner: LITE_SERVER_NOTREADY: no$/);
  });

  it("becomes a ServiceError in every handler, and other errors pass unchanged", async () => {
    const hash = new Uint8Array(32);
    const block = { workchain: -1, shard: wholeShard, seqno: 5, rootHash: hash, fileHash: hash };
    const unused = () => Promise.reject(new Error("the handler does not need it"));
    const failing = (error: Error) => ({
      reader: { blockAt: async () => block, account: () => Promise.reject(error), config: unused },
      runner: noRunner,
    });
    const address = new Address(0, hash);
    const call = { signal: new AbortController().signal, asked: new Set<number>(), options: {} };
    const balance = async (error: Error) => {
      const rules = { errorOf: chainErrorOf };
      const implementations = implement(accountHandlers, failing(error), rules);
      return bind(accountMethods, implementations, "testnet")
        .get("getAddressBalance")
        ?.run({ address }, call);
    };
    await expect(balance(new LiteError(-400, "x"))).rejects.toMatchObject({
      code: "liteserver-error",
    } satisfies Partial<ServiceError>);
    const defect = new TypeError("a defect");
    await expect(balance(defect)).rejects.toBe(defect);
  });
});
