import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningDevnet, startDevnet } from "../../server/process/workers/devnet-library.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { base64ToBytes, bytesToHex } from "../../shared/values/bytes.js";
import { MadeTypes } from "../helpers/abi/made-abi.js";
import { bocText, testAddress } from "../helpers/contracts/contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { funcCounter, funcCounterCode, lineOf } from "../helpers/debug/func-counter.js";

const contract = testAddress("c");
const source = `
fun dump(value: int): void asm "s0 DUMP" "DROP"
fun onInternalMessage(in: InMessage) {
    var body = in.body;
    dump(body.loadUint(8));
    assert (body.loadUint(32) == 5) throw 9;
}
fun onBouncedMessage(in: InMessageBounced) {}`;

/** A byte, and too few bits for the rest. */
const short = bocText(beginCell().storeUint(42, 8).storeUint(1, 8).endCell());

let devnet: RunningDevnet;
beforeAll(async () => {
  devnet = await startDevnet();
  await call("devnet.setAccount", {
    ...{ address: contract, balance: "1000000000", code: bocText(await compile(source)) },
  });
});
afterAll(() => devnet?.close());

async function call<T>(method: string, params: object): Promise<T> {
  const response = await fetch(`${devnet.url}/jsonRPC`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": devnet.key },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

const send = (to: string, body?: string) =>
  call<{ tx_hash: string }>("devnet.impersonate", {
    ...{ from: devnet.wallets[0]!.address, to, value: "100000000", ...(body !== undefined && { body }) },
  });

describe("explain", () => {
  it("has sentence, hint, values and prints of the contract that failed", async () => {
    const sent = await send(contract, short);
    const explanation = await devnet.explain(sent);
    expect(explanation).toMatchObject({
      ...{ success: false, account: contract.toUpperCase(), exitCode: 9, line: null, prints: ["s0 = 42"] },
      sentence: expect.stringContaining("wanted 32 bits, and 8 were left"),
      hint: expect.stringContaining("another layout"),
    });
    expect(explanation.values[0]).toMatchObject({
      name: "s0",
      value: expect.stringMatching(/^slice of 8 bits/),
    });
    const text = String(explanation);
    expect(text).toBe(explanation.text);
    expect(text).toMatch(/^.* stopped with .*\n.*\nat step \d+ of \d+: PLDU 32\n {2}s0 = slice/);
    expect(text).toMatch(/prints s0 = 42$/);
  });

  it("names the line, the variables and the contract, if its source is known", async () => {
    const address = testAddress("e");
    const abi = { contract_name: "Tally", storage: {} };
    const files = [
      { file: "counter.json", content: JSON.stringify(funcCounter) },
      { file: "counter.abi.json", content: JSON.stringify(new MadeTypes().abi(abi)) },
    ];
    await call("v3.debug.artifacts.add", { files });
    const data = bocText(beginCell().storeUint(41, 32).endCell());
    await call("devnet.setAccount", { address, balance: "1000000000", code: bocText(funcCounterCode), data });
    const withoutAmount = bocText(beginCell().storeUint(1, 32).endCell());
    const explanation = await devnet.explain(await send(address, withoutAmount));
    const line = `counter.fc:${lineOf("int total = load() + body~load_uint(8);")}`;
    expect(explanation).toMatchObject({
      line,
      sentence: expect.stringMatching(new RegExp(`wanted 8 bits, and 0 were left, at ${line}\\.$`)),
    });
    expect(explanation.values).toContainEqual({
      name: "body",
      value: expect.stringMatching(/^slice of 0 bits/),
    });
    expect(String(explanation)).toContain(`\nat ${line}\n`);
  });

  it("takes hashes of transactions and messages in any form, statuses, and objects of @ton/core", async () => {
    const { tx_hash } = await send(contract, short);
    const hex = bytesToHex(base64ToBytes(tx_hash)!);
    const status = { transaction: { hash: tx_hash } };
    const ofCore = { hash: () => Buffer.from(hex, "hex") };
    const { transactions } = await call<{ transactions: { in_msg: { hash: string } }[] }>("v3.transactions", {
      hash: tx_hash,
    });
    const message = transactions[0]!.in_msg.hash;
    const all = await Promise.all(
      [tx_hash, hex, message, status, ofCore].map((each) => devnet.explain(each)),
    );
    expect(new Set(all.map(({ run }) => run))).toEqual(new Set([`tx:${hex}`]));
    await expect(devnet.explain({})).rejects.toThrow("explain takes a hash");
    await expect(devnet.explain("ab".repeat(32))).rejects.toThrow("not found");
  });

  it("says that nothing failed", async () => {
    const explanation = await devnet.explain(await send(devnet.wallets[1]!.address));
    expect(explanation).toMatchObject({ success: true, sentence: null, hint: null });
    expect(String(explanation)).toMatch(/^Nothing failed/);
  });
});
