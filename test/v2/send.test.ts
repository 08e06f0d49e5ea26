import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { SigningKey } from "../../server/chain/ed25519.js";
import { contractAddress } from "../../server/devnet/wallets/compose.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { sendHandlers } from "../../server/methods/v2/send.js";
import { shortAddress } from "../../shared/text/answer-names.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { decode, encode } from "../../shared/ton/tlb/codec.js";
import { composeMessage, Message } from "../../shared/ton/tlb/message.js";
import { type StateInit, stateInitOf } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes } from "../../shared/values/bytes.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import { noFallback } from "../helpers/no-fallback.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

/** A contract that accepts every message: SETCP0 ACCEPT. */
const acceptAll = "EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2";
const comment = "te6cckEBAQEACwAAEgAAAABoZWxsb5oNank=";
const hashNorm = "+jI/3HZqNaImUBEyeUTvmHxkqr/eLcBYSpL7Hvo6ceg=";
/** The same comment to the same contract, laid out in four ways. */
const layouts = [
  [
    "a body in a reference",
    "te6cckEBAgEAMQABRYgB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4MAQASAAAAAGhlbGxvDbfLyA==",
    hashNorm,
  ],
  [
    "an inline body",
    "te6cckEBAQEALgAAV4gB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4AAAAAA0MrY2N8xUvBmQ==",
    "4niEAUr0kEFIQgZJv9UvUyBQvNZSZqhMt8SLtACjlNE=",
  ],
  [
    "an import fee",
    "te6cckEBAgEAMgABR4gB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4grAEAEgAAAABoZWxsbxB5/TU=",
    "FRvFn7Dx3pFgHFtJ7Iwe7wEwWsDPJO2WoFU5KLJHcPs=",
  ],
  [
    "an initial state",
    "te6cckEBAwEANQACRYgB2i0iYOCgCOIvczFqw7G9BaY/fwkiGdrda/klzpC98U4eAQIAAQQAEgAAAABoZWxsbygUPwY=",
    "haXqRX0gGeC0xe2fWhB/0RX1BB15mRReqGiriUPkV+0=",
  ],
] as const;

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
  await place(service, { address: acceptAll, code: codeOf("FF00F800"), balance: "1000000000000" });
});
afterAll(() => service.close());

const to = Address.read(acceptAll)!.address;

function commentOf(text: string): Cell {
  return beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).endCell();
}

/** A message with this comment in the normalised layout. */
function greeting(text: string): Cell {
  return externalMessage(to, commentOf(text), { inRef: true });
}

function externalMessage(dest: Address, body: Cell, { inRef }: { inRef: boolean }): Cell {
  const message = beginCell().storeUint(0b1000, 4).storeAddress(dest).storeCoins(0n).storeBit(false);
  message.storeBit(inRef);
  return (inRef ? message.storeRef(body) : message.storeSlice(body.parse())).endCell();
}

type Refusal = { code: number; message: string; data: Record<string, unknown> };

/** The error of a strict JSON-RPC call. */
async function strictRefusal(method: string, params: object): Promise<Refusal> {
  return ((await service.rpc(method, params)) as { error: Refusal }).error;
}

async function restRefusal(method: string, params: object) {
  const { status, json } = await service.post(`/api/v2/${method}`, params);
  const { ok, error, code, sentence } = json as {
    ok: boolean;
    error: string;
    code: number;
    sentence?: string;
  };
  return { status, ok, error, code, ...(sentence !== undefined && { sentence }) };
}

/** The error of a message that was sent before. */
const already = (error: string) => ({
  code: -32000,
  message: `${shortAddress(to.toFriendly())} has been sent this message already.`,
  data: {
    ...{ code: 500, kind: "message-rejected", error, reason: "duplicate" },
    hint: "Wait for it, or make a message with another seqno.",
  },
});

const duplicate = "LITE_SERVER_UNKNOWN: cannot send external message : duplicate message";
const tooLarge =
  "LITE_SERVER_UNKNOWN: cannot apply external message to current state : failed to parse external message: external message too large, rejecting";

/** The cell as an object, padded to whole bytes. */
function objectOf(cell: Cell): object {
  const padded = beginCell().storeSlice(cell.parse());
  while (padded.bits % 8 !== 0) padded.storeBit(false);
  const b64 = Buffer.from(
    padded
      .endCell()
      .parse()
      .loadBytes(padded.bits >> 3),
  ).toString("base64");
  return { data: { b64, len: cell.bits }, refs: cell.refs.map(objectOf) };
}

/** 17 KB of cells, different ones for each number. */
function chainOf(number: number): Cell {
  let cell = Cell.empty;
  for (let i = 0; i < 140; i++)
    cell = beginCell()
      .storeUint(number * 1000 + i, 32)
      .storeBytes(new Uint8Array(116))
      .storeRef(cell)
      .endCell();
  return cell;
}

/** A body larger than nodes take. */
function largeBody(): Cell {
  const chains = beginCell();
  for (let number = 0; number < 4; number++) chains.storeRef(chainOf(number));
  return chains.endCell();
}

/** Roots that are no message from outside, and the error of tonlib for each. */
function notExternal(): [cell: Cell, text: string][] {
  const internal = beginCell().storeUint(0, 1).storeUint(0b100, 3).storeUint(0, 2);
  internal
    .storeAddress(Address.read(acceptAll)!.address)
    .storeCoins(0n)
    .storeUint(0, 1 + 4 + 4 + 64 + 32 + 2);
  const withSource = beginCell().storeUint(0, 1).storeUint(0b100, 3);
  for (let i = 0; i < 2; i++) withSource.storeAddress(Address.read(acceptAll)!.address);
  withSource.storeCoins(0n).storeUint(0, 1 + 4 + 4 + 64 + 32 + 2);
  return [
    [Cell.empty, "Failed to unpack Message"],
    [internal.endCell(), "Failed to unpack Message"],
    [withSource.endCell(), "CommonMsgInfo tag is not ext_in_msg_info"],
  ];
}

async function arrivals(): Promise<number> {
  const params = { address: acceptAll, limit: 100 };
  const transactions = await service.run<{ in_msg?: { message?: string } }[]>("getTransactions", params);
  return transactions.filter(({ in_msg }) => in_msg?.message !== undefined).length;
}

/** Checks that a call is answered with ok, and that its message is in the next block. */
async function arrives(method: string, params: object): Promise<void> {
  await service.mine();
  const before = await arrivals();
  expect(await service.run(method, params)).toEqual({ "@type": "ok" });
  await service.mine();
  expect(await arrivals()).toBe(before + 1);
}

async function expectNoBag(method: string): Promise<void> {
  expect(await restRefusal(method, { boc: "AAAA" })).toEqual({
    status: 400,
    ok: false,
    error: "INVALID_BAG_OF_CELLS: body",
    code: 400,
  });
}

async function expectMalformed(method: string, params: object, error: string): Promise<void> {
  const why = error.split("failed to parse external message: ").at(-1);
  expect(await strictRefusal(method, params)).toEqual({
    code: -32000,
    message: `The receiver cannot receive the message, which is malformed: ${why}.`,
    data: {
      ...{ code: 500, kind: "message-rejected", reason: "malformed", error },
      hint: "Serialize a message from outside (ext_in_msg_info) of at most 65,535 bytes.",
    },
  });
}

describe("sendBoc", () => {
  it("sends a message", async () => {
    await arrives("sendBoc", { boc: bocText(greeting("whole")) });
  });

  it("refuses no bytes, and a missing parameter", async () => {
    expect(await restRefusal("sendBoc", { boc: "" })).toEqual({
      status: 422,
      ok: false,
      error: "failed to validate request: empty boc",
      code: 422,
    });
    for (const boc of [undefined, null])
      expect(await restRefusal("sendBoc", { boc })).toMatchObject({
        error: "failed to parse post request: boc is required",
        code: 422,
      });
  });

  it("refuses input that is no bag of cells", () => expectNoBag("sendBoc"));

  it("refuses a root that is no message from outside", async () => {
    for (const [cell, text] of notExternal()) {
      const boc = bocText(cell);
      expect(await restRefusal("sendBoc", { boc })).toMatchObject({ error: text, code: 500 });
      await expectMalformed("sendBoc", { boc }, text);
    }
  });

  it("refuses a message larger than nodes take, without asking them", async () => {
    const boc = bocText(externalMessage(to, largeBody(), { inRef: true }));
    await expectMalformed("sendBoc", { boc }, tooLarge);
    const asked = () => Promise.reject(new Error("nothing is asked"));
    const reader = { last: undefined as never, account: asked, config: asked };
    const deps = {
      lite: { sendMessage: asked },
      reader,
      fallback: noFallback,
      artifacts: new ArtifactStore(),
    };
    const call = { signal: new AbortController().signal, asked: new Set<number>(), options: {} };
    await expect(
      sendHandlers.sendBoc({ boc: base64ToBytes(boc)! }, deps, call) as Promise<unknown>,
    ).rejects.toThrow("too large");
  });

  it("refuses a message that was sent a moment ago, in any serialization", async () => {
    const boc = bocText(greeting("once"));
    await service.run("sendBoc", { boc });
    const plain = Buffer.from(base64ToBytes(boc)!);
    const withoutChecksum = Buffer.concat([plain.subarray(0, 4), Buffer.from([0x01]), plain.subarray(5, -4)]);
    for (const again of [boc, withoutChecksum.toString("base64")])
      expect(await strictRefusal("sendBoc", { boc: again })).toEqual(already(duplicate));
  });

  describe("explains the refusal of a wallet", () => {
    const versions = ["v3r2", "v4r2", "v5r1", "tg"] as const;
    const key = (byte: number) => new SigningKey(new Uint8Array(32).fill(byte));
    const now = 2_000_000_000;
    const codes = {
      v3r2: { seqno: 33, id: 34, signature: 35, expired: 35 },
      v4r2: { seqno: 33, id: 34, signature: 35, expired: 36 },
      v5r1: { seqno: 133, id: 134, signature: 135, expired: 136 },
      tg: { seqno: 133, id: 134, signature: 135, expired: 136 },
    };

    const sentences = {
      seqno: /^EQ\S+ refused the message: its seqno 9 is not the next, which is 0\.$/,
      expired:
        /^EQ\S+ refused the message, which expired at 1970-01-01T00:00:01Z, \d+ s before the time of the chain\.$/,
      signature: /^EQ\S+ refused the message, which is signed by another key: exit code \d+/,
      id: /^EQ\S+ refused the message, which is for a wallet with another id: exit code \d+/,
    };
    const hints = {
      seqno: "Send the messages with the lower seqnos first, or sign anew with the next seqno.",
      expired: "Set the clock of the computer that signs, then sign and send the message anew.",
      signature: "Sign with the wallet's key.",
      id: "Sign for the wallet's id, which may depend on the network.",
    };

    it.each(versions)("%s whose order is not right", async (version) => {
      const wallet = new Wallet(version, key(7));
      const address = wallet.address.toRaw();
      const { code, data } = wallet.init;
      await place(service, { address, code: code!, data: data!, balance: "5000000000" });
      const payments = [{ to: Address.read(acceptAll)!.address, value: 1n }];
      const order = { seqno: 0, validUntil: now, payments };
      const other = new Wallet(version, key(8));
      const refusals = {
        seqno: wallet.order({ ...order, seqno: 9 }),
        expired: wallet.order({ ...order, validUntil: 1 }),
        signature: redirected(other.order(order), wallet.address),
        // The other ones have an id that does not follow from the subwallet.
        ...((version === "v3r2" || version === "v4r2") && {
          id: redirected(new Wallet(version, key(7), 0, 5).order(order), wallet.address),
        }),
      };
      for (const [what, message] of Object.entries(refusals)) {
        const refused = await strictRefusal("sendBoc", { boc: bocText(message) });
        const exitCode = codes[version][what as keyof (typeof codes)["v3r2"]];
        expect(refused.data).toMatchObject({ reason: "not-accepted", exit_code: exitCode, phase: "compute" });
        expect(refused.data["error"]).toContain(`exitcode=${exitCode}, `);
        expect(refused.message).toMatch(sentences[what as "seqno"]);
        expect(refused.data["hint"]).toBe(hints[what as "seqno"]);
        const { outcome } = await service.run<V3Result<"debug/transaction">>("v3.debug.message", {
          boc: bocText(message),
        });
        expect(outcome.sentence).toMatch(sentences[what as "seqno"]);
        expect(outcome.hint).toBe(hints[what as "seqno"]);
        const names = {
          ...{ seqno: "wrong-seqno", id: "wrong-wallet-id" },
          ...(version === "v3r2"
            ? { expired: "expired-or-bad-signature", signature: "expired-or-bad-signature" }
            : { expired: "expired", signature: "bad-signature" }),
        };
        const name = names[what as "seqno"];
        expect(refused.data["exit_name"]).toBe(name);
        expect(refused.data["exit_meaning"]).toMatch(
          { seqno: /too old seqno/, expired: /expired/, signature: /signature/, id: /another id/ }[what]!,
        );
      }
      expect(await service.run("sendBoc", { boc: bocText(wallet.order(order)) })).toEqual({ "@type": "ok" });
      const repeated = await strictRefusal("sendBoc", { boc: bocText(wallet.order(order)) });
      expect(repeated.data["reason"]).toBe("duplicate");
      await service.mine();
      const late = await strictRefusal("sendBoc", {
        boc: bocText(wallet.order({ ...order, validUntil: now + 1 })),
      });
      expect(late.message).toMatch(/^EQ\S+ refused the message: its seqno 0 is used, the next is 1\.$/);
      expect(late.data).toMatchObject({
        ...{ exit_code: codes[version].seqno, seqno: 0, next_seqno: 1 },
        hint: "Read the seqno anew, then sign and send the message anew.",
      });
    });

    it.each(versions)("%s that is not deployed, or cannot pay, with the reason as data", async (version) => {
      const wallet = new Wallet(version, key(9));
      const address = wallet.address.toRaw();
      const order = { seqno: 0, validUntil: now, payments: [] };
      const { body, init } = decode(Message, wallet.order(order));
      const plain = externalMessage(wallet.address, body, { inRef: true });
      const foreign = withInit(wallet.address, body, new Wallet(version, key(10)).init);
      const refusalOf = async (message: Cell) => {
        const refused = await strictRefusal("sendBoc", { boc: bocText(message) });
        const { account_state: state, exit_name: name, exit_meaning: meaning } = refused.data;
        expect(meaning).toMatch(/^The .*\.$/);
        expect(refused.message).toMatch(/^EQ\S+ cannot receive the message: .*\.$/);
        return [String(refused.data["error"]).split(" : ")[1]!.split("\n").at(-1), state, name];
      };
      for (const message of [plain, wallet.order(order)])
        expect(await refusalOf(message)).toEqual([
          "Failed to unpack account state",
          "nonexist",
          "no-account",
        ]);
      const nothingRan = "exitcode=0, steps=0, gas_used=0";
      await service.run("devnet.faucet", { address, amount: "1000000000" });
      expect(await refusalOf(plain)).toEqual([nothingRan, "uninit", "no-code"]);
      expect(await refusalOf(foreign)).toEqual([nothingRan, "uninit", "wrong-state-init"]);
      expect(await service.run("sendBoc", { boc: bocText(wallet.order(order)) })).toEqual({ "@type": "ok" });
      const rejected = expect.stringContaining("before smart-contract execution");
      const poor = new Wallet(version, key(11));
      await service.run("devnet.faucet", { address: poor.address.toRaw(), amount: "100" });
      expect(await refusalOf(poor.order(order))).toEqual([rejected, "uninit", "not-enough-coins"]);
      await place(service, { address: poor.address.toRaw(), code: init!.value.code!, balance: "1" });
      expect(await refusalOf(poor.order(order))).toEqual([rejected, "active", "not-enough-coins"]);
    });

    function withInit(dest: Address, body: Cell, init: StateInit): Cell {
      const info = { kind: "externalIn", src: undefined, dest, importFee: 0n } as const;
      return encode(Message, composeMessage({ info, init, body }));
    }

    /** The same order sent to another wallet. */
    function redirected(order: Cell, dest: Address): Cell {
      return externalMessage(dest, decode(Message, order).body, { inRef: true });
    }
  });
});

describe("sendBocReturnHash", () => {
  it.each(layouts)(
    "answers the hash of a message with %s, and one hash_norm for all layouts",
    async (_, boc, hash) => {
      const sent: Uint8Array[] = [];
      const lite = {
        sendMessage: async ({ body }: { body: Uint8Array }) => {
          sent.push(body);
          return { status: 1 };
        },
      };
      const reader = {
        last: undefined as never,
        account: () => Promise.reject(new Error("nothing else is asked")),
        config: () => Promise.reject(new Error("nothing else is asked")),
      };
      const call = { signal: new AbortController().signal, asked: new Set<number>(), options: {} };
      const params = { boc: base64ToBytes(boc)! };
      const answer = await sendHandlers.sendBocReturnHash(
        params,
        { lite, reader, fallback: noFallback, artifacts: new ArtifactStore() },
        call,
      );
      expect(answer).toEqual({ "@type": "raw.extMessageInfo", hash, hash_norm: hashNorm });
      expect(sent.map((body) => parseBocRoot(body).hashHex())).toEqual([parseBocRoot(params.boc).hashHex()]);
    },
  );

  it("refuses a parameter that cannot be read", async () => {
    for (const boc of [5, {}, "%%%"])
      expect(await restRefusal("sendBocReturnHash", { boc })).toMatchObject({
        error: "failed to parse post request: failed to parse boc",
        code: 422,
      });
  });

  it("refuses input that is no bag of cells", () => expectNoBag("sendBocReturnHash"));
});

describe("sendBocReturnHashNoError", () => {
  it("answers hash and hash_norm, which are equal for a message in the normalised layout", async () => {
    const answer = await service.run("sendBocReturnHashNoError", { boc: bocText(greeting("as well")) });
    const hash = Buffer.from(greeting("as well").hash()).toString("base64");
    expect(answer).toEqual({ "@type": "raw.extMessageInfo", hash, hash_norm: hash });
  });

  it("refuses input that is no bag of cells", () => expectNoBag("sendBocReturnHashNoError"));

  it("answers 400 where the other methods answer 500", async () => {
    for (const [cell, text] of notExternal())
      expect(await restRefusal("sendBocReturnHashNoError", { boc: bocText(cell) })).toMatchObject({
        error: text,
        code: 400,
      });
    const large = bocText(externalMessage(to, largeBody(), { inRef: true }));
    expect(await restRefusal("sendBocReturnHashNoError", { boc: large })).toMatchObject({
      status: 400,
      code: 400,
    });
    const boc = bocText(greeting("no error"));
    await service.run("sendBoc", { boc });
    expect(await restRefusal("sendBocReturnHashNoError", { boc })).toEqual({
      status: 400,
      ok: false,
      error: duplicate,
      code: 400,
      sentence: already(duplicate).message,
    });
  });
});

describe("sendQuery", () => {
  it("sends a body to an address", async () => {
    await arrives("sendQuery", { address: acceptAll, body: bocText(commentOf("parts")) });
  });

  it("deploys with init_code and init_data", async () => {
    const [code, data] = [codeOf("FF00F800"), Cell.empty];
    const address = contractAddress(stateInitOf(code, data)).toRaw();
    await service.run("devnet.faucet", { address, amount: "1000000000" });
    const init = { init_code: bocText(code), init_data: bocText(data) };
    expect(await service.run("sendQuery", { address, body: comment, ...init })).toEqual({ "@type": "ok" });
    await service.mine();
    expect(await service.run("getAddressState", { address })).toBe("active");
  });

  it("sends a body that would be endless if its shared cells were written out", async () => {
    let body = Cell.empty;
    for (let i = 0; i < 500; i++) body = beginCell().storeUint(i, 16).storeRef(body).storeRef(body).endCell();
    const query = { address: acceptAll, body: bocText(body) };
    expect(await service.run("sendQuery", query)).toEqual({ "@type": "ok" });
    expect(await service.run("estimateFee", query)).toMatchObject({ source_fees: { "@type": "fees" } });
    await service.mine();
  });

  it("refuses input that is no bag of cells", async () => {
    const parts = { address: acceptAll, body: comment, init_code: comment };
    expect(await restRefusal("sendQuery", { ...parts, body: "" })).toMatchObject({
      error: "INVALID_BAG_OF_CELLS: body",
      code: 400,
    });
    for (const init_data of [undefined, "", "AAAA"])
      expect(await restRefusal("sendQuery", { ...parts, init_data })).toMatchObject({
        error: "INVALID_BAG_OF_CELLS: init_data",
        code: 400,
      });
  });

  it("refuses a message larger than nodes take", async () => {
    const body = bocText(largeBody());
    await expectMalformed("sendQuery", { address: acceptAll, body }, tooLarge);
    const init = { init_code: body, init_data: comment };
    await expectMalformed("sendQuery", { address: acceptAll, body: comment, ...init }, tooLarge);
  });

  it("refuses a message that is too deep for the network", async () => {
    let body = Cell.empty;
    for (let i = 0; i < 600; i++) body = beginCell().storeUint(i, 16).storeRef(body).endCell();
    expect(await restRefusal("sendQuery", { address: acceptAll, body: bocText(body) })).toMatchObject({
      error: expect.stringContaining("failed to parse external message: external message is too deep"),
      code: 500,
    });
  });

  it("refuses a message to an account that never had a balance", async () => {
    const refused = await strictRefusal("sendQuery", { address: testAddress("e"), body: comment });
    expect(refused).toEqual({
      code: -32000,
      message: expect.stringMatching(/^EQ\S+ cannot receive the message: it does not exist\.$/),
      data: {
        error:
          "LITE_SERVER_UNKNOWN: cannot apply external message to current state : Failed to unpack account state",
        hint: "Send coins to the address first; then the message can deploy the contract.",
        ...{ code: 500, kind: "message-rejected", reason: "no-account" },
        ...{ account_state: "nonexist", exit_name: "no-account", exit_meaning: expect.any(String) },
      },
    });
  });

  it("refuses a message that the contract does not accept", async () => {
    const address = testAddress("d");
    // 600 THROW
    await place(service, { address, code: codeOf("F2C258"), balance: "1000000000" });
    const refused = await strictRefusal("sendQuery", { address, body: comment });
    expect(refused).toEqual({
      code: -32000,
      message: expect.stringMatching(/^EQ\S+ stopped with exit code 600\.$/),
      data: {
        error: expect.stringMatching(
          /^LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by transaction D{64}:\nexitcode=600, steps=\d+, gas_used=0\nVM Log \(truncated\):\n\.\.\./,
        ),
        code: 500,
        kind: "message-rejected",
        reason: "not-accepted",
        exit_code: 600,
        phase: "compute",
        vm_log: expect.stringContaining("THROW"),
      },
    });
    expect(await restRefusal("sendQuery", { address, body: comment })).toMatchObject({
      error: refused.data["error"],
      sentence: refused.message,
      code: 500,
    });
  });

  it("refuses a message whose import fee the account cannot pay", async () => {
    const address = testAddress("c");
    await place(service, { address, code: codeOf("F800"), balance: "1" });
    const refused = await strictRefusal("sendQuery", { address, body: comment });
    expect(refused).toMatchObject({ data: { reason: "not-accepted" } });
    expect(refused.data["error"]).toContain("before smart-contract execution");
  });
});

describe("sendQuerySimple", () => {
  it("sends a body given as an object", async () => {
    await arrives("sendQuerySimple", { address: acceptAll, body: objectOf(commentOf("simple")) });
  });

  it("refuses objects that are no cells", async () => {
    for (const body of [
      5,
      {},
      { data: { b64: "AA==", len: 9 } },
      { data: { b64: "AA==", len: 8 }, refs: [5] },
    ])
      expect(await restRefusal("sendQuerySimple", { address: acceptAll, body })).toMatchObject({
        error: "Error while parsing cell object",
        code: 400,
      });
  });
});

describe("sendCellSimple", () => {
  it("sends a message given as an object", async () => {
    const cell = objectOf(externalMessage(to, commentOf("objects"), { inRef: true }));
    await arrives("sendCellSimple", { cell });
  });

  it("refuses objects that are no cells", async () => {
    expect(await restRefusal("sendCellSimple", { cell: {} })).toMatchObject({
      error: "Error while parsing cell",
      code: 400,
    });
  });
});
