import { afterAll, beforeAll, expect, test } from "vitest";
import { testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

const address = testAddress("1", 5);
const zeros = "0".repeat(64);
const text = `VALIDATE_ACCOUNT_STATEshard block id (-2147483648,0000000000000000,0):${zeros}:${zeros} in answer is invalid`;

test.each([
  ["getAddressInformation", {}],
  ["getExtendedAddressInformation", {}],
  ["getWalletInformation", {}],
  ["getAddressBalance", {}],
  ["getAddressState", {}],
  ["getShardAccountCell", {}],
  ["getTransactions", {}],
  ["getTransactionsStd", {}],
  ["getTokenData", {}],
  ["dnsResolve", { name: "foundation.ton" }],
  ["runGetMethod", { method: "seqno", stack: [] }],
  ["runGetMethodStd", { method: "seqno", stack: [] }],
  ["estimateFee", { body: "te6cckEBAQEAAgAAAEysuc0=" }],
])("%s of an account whose workchain does not exist fails with tonlib's text", async (method, params) => {
  const { status, json } = await service.post("/api/v2/jsonRPC", {
    id: 1,
    method,
    params: { address, ...params },
  });
  expect([status, json]).toMatchObject([500, { ok: false, error: text, code: 500 }]);
});
