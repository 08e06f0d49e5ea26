import { comment } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { externalMessage } from "../../server/chain/external-message.js";
import { parseBoc, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell as beginOwn } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";
import { codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const friendly = (raw: string) => Address.read(raw)!.address.toFriendly();
const receiver = friendly(testAddress("a"));
const urlSafe = (hash: string) => hash.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const failure = { status: 500, text: "500 Internal Error" };

type Receipt = { lt: string; tx_hash: string };
type Parsed = { blocks: object[]; transactions: Record<string, unknown>[] };

let service: DevnetService;
let last: Receipt;
beforeAll(async () => {
  service = await sharedService("empty");
  for (let at = 0; at < 25; at++)
    last = await service.run<Receipt>("devnet.faucet", { address: receiver, amount: `${1000 + at}` });
});
afterAll(() => service.close());

const start = () => ({ address: receiver, lt: last.lt, hash: last.tx_hash });
const pathOf = (parsed = "") => `/api/v4/account/${receiver}/tx/${parsed}${last.lt}/${urlSafe(last.tx_hash)}`;

describe("v4.transactions", () => {
  it("are 20 roots of a bag of cells with their blocks, newest first", async () => {
    const { json } = await service.get(pathOf());
    const { blocks, boc } = json as { blocks: { workchain: number; seqno: number }[]; boc: string };
    expect(await service.run("v4.transactions", start())).toEqual(json);
    const known = await service.run<{ transaction_id: { hash: string } }[]>("getTransactions", {
      address: receiver,
      limit: 20,
    });
    const hashes = parseBoc(Buffer.from(boc, "base64")).map((root) =>
      Buffer.from(root.hash()).toString("base64"),
    );
    expect(hashes).toEqual(known.map((each) => each.transaction_id.hash));
    expect(blocks).toHaveLength(20);
    const seqnos = blocks.map(({ seqno }) => seqno);
    expect(seqnos).toEqual([...seqnos].sort((a, b) => b - a));
  });

  it("fail for a transaction that is not there, and for other parameters", async () => {
    const { lt, tx_hash: hash } = last;
    const other = Buffer.alloc(32, 7).toString("base64url");
    for (const path of [
      `${receiver}/tx/${lt}/${other}`,
      `${receiver}/tx/0/${urlSafe(hash)}`,
      `${receiver}/tx/x/${urlSafe(hash)}`,
      `${receiver}/tx/${lt}/short`,
      `x/tx/${lt}/${urlSafe(hash)}`,
    ])
      expect(await service.get(`/api/v4/account/${path}`)).toMatchObject(failure);
  });
});

describe("v4.parsedTransactions", () => {
  it("are as many as are asked for, 20 by default", async () => {
    const count = async (query: string) =>
      ((await service.get(pathOf("parsed/") + query)).json as Parsed).transactions.length;
    expect([await count(""), await count("?count=3"), await count("?count=30")]).toEqual([20, 3, 25]);
    for (const wrong of ["0", "1001", "x"])
      expect(await service.get(`${pathOf("parsed/")}?count=${wrong}`)).toMatchObject(failure);
  });

  it("have every member that the client reads", async () => {
    const { transactions } = await service.run<Parsed>("v4.parsedTransactions", { ...start(), count: 1 });
    const { address } = await service
      .run<{ address: string }>("devnet.info")
      .then((info) => (info as unknown as { faucet: { address: string } }).faucet);
    const faucet = friendly(address);
    expect(transactions).toEqual([
      {
        address: receiver,
        lt: last.lt,
        hash: last.tx_hash,
        prevTransaction: {
          lt: expect.stringMatching(/^\d+$/),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        time: expect.any(Number),
        outMessagesCount: 0,
        oldStatus: "uninitialized",
        newStatus: "uninitialized",
        fees: expect.stringMatching(/^\d+$/),
        update: { oldHash: expect.any(String), newHash: expect.any(String) },
        inMessage: {
          body: "te6cckEBAQEAAgAAAEysuc0=",
          info: {
            type: "internal",
            value: "1024",
            dest: receiver,
            src: faucet,
            bounced: false,
            bounce: false,
            ihrDisabled: true,
            createdAt: expect.any(Number),
            createdLt: expect.stringMatching(/^\d+$/),
            fwdFee: expect.stringMatching(/^\d+$/),
            ihrFee: "0",
          },
          init: null,
        },
        outMessages: [],
        parsed: {
          seqno: null,
          body: null,
          status: "success",
          dest: null,
          kind: "in",
          amount: "1024",
          resolvedAddress: faucet,
          bounced: false,
          mentioned: [faucet],
        },
        operation: { address: receiver, items: [{ kind: "ton", amount: "1024" }] },
      },
    ]);
  });
});

describe("v4.send", () => {
  const acceptAll = testAddress("b");
  const messageOf = (number: number) =>
    Buffer.from(
      serializeBoc(
        externalMessage(
          Address.read(acceptAll)!.address,
          beginOwn().storeUint(number, 32).endCell(),
          undefined,
        ),
      ),
    ).toString("base64");
  beforeAll(() => place(service, { address: acceptAll, code: codeOf("F800"), balance: "5000000000" }));

  it("is answered with the status 1, by REST and JSON-RPC", async () => {
    const { status, json, headers } = await service.post("/api/v4/send", { boc: messageOf(1) });
    expect([status, json, headers.get("Cache-Control")]).toEqual([200, { status: 1 }, "no-store"]);
    expect(await service.run("v4.send", { boc: messageOf(2) })).toEqual({ status: 1 });
    await service.mine(1);
    const { account } = await service.run<{ account: { last: Receipt | null } }>("v4.account", {
      seqno: (await service.run<{ last: { seqno: number } }>("v4.latest")).last.seqno,
      address: friendly(acceptAll),
    });
    expect(account.last).not.toBeNull();
  });

  it("is a bad request without boc, and an internal error if the message is none or is refused", async () => {
    for (const body of [{}, { BOC: "x" }, "", "[", "[]"])
      expect(await service.post("/api/v4/send", body)).toMatchObject({
        status: 400,
        text: "400 Bad Request",
      });
    const nobody = externalMessage(Address.read(testAddress("9"))!.address, beginOwn().endCell(), undefined);
    const refused = Buffer.from(serializeBoc(nobody)).toString("base64");
    for (const boc of ["", "x", "AAAA", comment("no message").toBoc().toString("base64"), refused, 5])
      expect(await service.post("/api/v4/send", { boc })).toMatchObject(failure);
  });
});
