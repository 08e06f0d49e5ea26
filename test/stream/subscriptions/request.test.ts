import { describe, expect, it } from "vitest";
import {
  chosen,
  defaultChoices,
  filterOf,
  readId,
  readObject,
  readSubscription,
} from "../../../server/stream/subscriptions/request.js";

const account = `0:${"ab".repeat(32)}`;
const hash = "q".repeat(43);
const texts = { noTypes: "no types", noAddresses: "no addresses" };
const read = (request: unknown, before = defaultChoices(undefined)) => {
  const text = typeof request === "string" ? request : JSON.stringify(request);
  const fields = readSubscription(readObject(text, "invalid"), "invalid");
  return filterOf(fields, chosen(fields, before), texts);
};

describe("a subscription of TON Center's protocol", () => {
  it.each([
    ["[]", "invalid: an object is expected"],
    [{ types: "transactions" }, "invalid: types must be a list of strings"],
    [{ types: [1] }, "invalid: types must be a list of strings"],
    [{ types: ["trace"], include_metadata: "yes" }, "invalid: include_metadata must be a boolean"],
    [{ types: ["trace"], min_finality: "soon" }, "invalid: unknown finality state: soon"],
    [{ types: ["trace"], action_types: Array(501).fill("x") }, "invalid: action_types is too long"],
    [{}, "no types"],
    [{ types: [], addresses: ["?"] }, "no types"],
    [{ types: ["blocks"], addresses: ["?"] }, "invalid event type: blocks"],
    [{ types: ["trace"], addresses: ["?"], trace_external_hash_norms: ["?"] }, "cannot parse address: ?"],
    [{ types: ["transactions"], addresses: ["addr_none"] }, "address is not standard"],
    [{ types: ["transactions"], addresses: ["ext$8:ab"] }, "address is not standard"],
    [
      { types: ["transactions"], trace_external_hash_norms: [""] },
      "trace_external_hash_norms contains empty value",
    ],
    [
      { types: ["transactions"], addresses: [account], trace_external_hash_norms: [hash] },
      'trace_external_hash_norms requires type "trace"',
    ],
    [{ types: ["trace"] }, "trace_external_hash_norms are required for trace subscription"],
    [{ types: ["actions"] }, "no addresses"],
    [{ types: ["trace", "actions"], trace_external_hash_norms: [hash] }, "no addresses"],
    [
      { types: ["transactions"], addresses: [account], msg_body_hash: 7 },
      "invalid: msg_body_hash must be a string",
    ],
    [{ types: ["transactions"], addresses: [account], msg_body_hash: "no" }, "msg_body_hash is not a hash"],
    [{ types: ["transactions"], addresses: [], msg_body_hash: hash }, "no addresses"],
    [
      { types: ["actions"], addresses: [account], msg_body_hash: hash },
      'msg_body_hash requires type "transactions"',
    ],
  ])("is refused: %j", (request, text) => {
    expect(() => read(request)).toThrow(expect.objectContaining({ name: "RequestError", message: text }));
  });

  it("is refused with the parser's text if it is no JSON", () => {
    expect(() => read("{")).toThrow(/^invalid: .*JSON/);
    expect(() => readId(readObject('{"id":7}', "invalid"), "invalid")).toThrow(
      "invalid: id must be a string",
    );
  });

  it("has each address once in any form, and hashes in base64", () => {
    const filter = read({
      types: ["transactions", "trace", "trace_invalidated"],
      addresses: [account, account.toUpperCase(), ` ${account} `],
      trace_external_hash_norms: ["0x".padEnd(66, "ab"), "ab".repeat(32)],
    });
    expect([...filter.types]).toEqual(["transactions", "trace"]);
    expect([...filter.addresses]).toEqual([account.toUpperCase()]);
    expect([...filter.traces]).toEqual([Buffer.from("ab".repeat(32), "hex").toString("base64")]);
    expect(filter.minFinality).toBe("finalized");
  });

  it("has the hash of a body in base64, in any form, until the next request", () => {
    const one = { types: ["transactions", "actions"], addresses: [account] };
    const base64 = Buffer.from("ab".repeat(32), "hex").toString("base64");
    for (const form of ["ab".repeat(32), "0x".padEnd(66, "ab"), base64])
      expect(read({ ...one, msg_body_hash: form }).bodyHash).toBe(base64);
    expect(read(one).bodyHash).toBeUndefined();
    expect(read({ ...one, msg_body_hash: null }).bodyHash).toBeUndefined();
  });

  it("shows named actions only if the client supports them", () => {
    const of = (special: object, version?: string) =>
      read({ types: ["actions"], addresses: [account], ...special }, defaultChoices(version)).actions;
    expect(of({}).wanted).toContain("jvault_stake");
    expect(of({}, "v1").wanted).not.toContain("jvault_stake");
    expect(of({ action_types: ["jvault_stake"] }, "v1").wanted).toEqual([]);
    expect(of({ action_types: ["ton_transfer"] }).wanted).toEqual(["ton_transfer"]);
    expect(of({ supported_action_types: ["v1", "jvault"] }).wanted).toContain("jvault_stake");
    // Equal choices are shared.
    expect(of({ supported_action_types: ["jvault", "v1"] })).toBe(
      of({ supported_action_types: ["v1", "jvault"] }),
    );
  });

  it("keeps the values omitted by a later one, and drops the emptied ones", () => {
    const first = chosen(
      readSubscription({ min_finality: "pending", action_types: ["a"], include_metadata: true }, ""),
      defaultChoices(undefined),
    );
    const later = chosen(readSubscription({ include_metadata: null, include_address_book: true }, ""), first);
    expect(later).toMatchObject({ minFinality: "pending", actionTypes: ["a"], withMetadata: true });
    expect(later.withAddressBook).toBe(true);
    expect(chosen(readSubscription({ action_types: [] }, ""), later).actionTypes).toEqual([]);
  });
});
