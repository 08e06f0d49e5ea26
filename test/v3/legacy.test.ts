import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { sized } from "../helpers/effort.js";
import { describeStory } from "../helpers/stories/describe-story.js";
import { type StoryApp, startStoryApp } from "../helpers/stories/story-app.js";

const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const elector = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const conversion = (name: string) => `failed to decode: schema: error converting value for "${name}"`;
const num = (value: bigint) => ({ type: "num", value: `0x${value.toString(16)}` });
const empty = "te6cckEBAQEAAgAAAEysuc0=";

describeStory((story) => {
  /** An app whose index is late: none of these methods needs one then. */
  let late: StoryApp;
  beforeAll(async () => {
    late = await startStoryApp(story.devnet, undefined, { isIndexLate: true });
  });
  afterAll(() => late.close());

  const accounts = () => [...new Set(story.all.map(({ account }) => account))];
  const get = async (path: string) => {
    const { status, json } = await late.ask(`/api/v3/${path}`);
    return [status, json];
  };
  const post = async (method: string, body: unknown) => {
    const { status, json } = await late.post(`/api/v3/${method}`, body);
    return [status, json];
  };

  describe("v3.addressInformation", () => {
    it("answers the same from the index and from the chain, but for the name of the status", async () => {
      const some = accounts().filter((_, at) => at % sized(6, 1) === 0);
      const { accounts: states } = await story.ask("accountStates", `address=${some.join()}`);
      const book = await story.ask("addressBook", `address=${some.join()}`);
      for (const state of states) {
        expect(book[state.address]?.interfaces).toEqual(state.interfaces);
        const legacy = await story.ask("addressInformation", `address=${state.address}`);
        const chain = await story.ask("addressInformation", `address=${state.address}&use_v2=true`);
        const { status: indexStatus, ...index } = legacy;
        const { status: chainStatus, ...v2 } = chain;
        expect(index).toEqual(v2);
        const status = state.status === "nonexist" ? "uninit" : state.status;
        expect(indexStatus).toBe(status);
        expect(chainStatus).toBe(status === "uninit" ? "uninitialized" : status);
      }
    });

    it("reads the chain where the index does not have the account, or is late", async () => {
      const stranger = `0:${"12".repeat(32)}`;
      const nothing = {
        balance: "0",
        code: null,
        data: null,
        last_transaction_lt: "0",
        last_transaction_hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        frozen_hash: null,
        status: "uninit",
      };
      expect(await story.ask("addressInformation", `address=${stranger}`)).toEqual(nothing);
      expect(await story.ask("addressInformation", `address=${stranger}&use_v2=true`)).toEqual({
        ...nothing,
        status: "uninitialized",
      });
      expect(await late.v3(`addressInformation?address=${stranger}`)).toEqual(nothing);
    });

    it("answers the state of the index, which follows the chain", async () => {
      const receiver = { workchain: 0, id: new Uint8Array(32).fill(3) };
      const address = `0:${"03".repeat(32)}`;
      const give = () => story.devnet.controls.faucet(receiver, 1_000_000_000n);
      const balance = async () =>
        BigInt((await story.ask("addressInformation", `address=${address}`)).balance);
      await give();
      await story.devnet.controls.mine(2);
      await story.catchUp();
      const before = await balance();
      await give();
      await story.devnet.controls.mine(2);
      expect(await balance()).toBe(before);
      await story.catchUp();
      expect(await balance()).toBeGreaterThan(before);
    });

    it.each([
      ["addressInformation", 401, "address of account is required"],
      ["account?use_v2=true", 401, "address of account is required"],
      [`addressInformation?address=${friendly}&use_v2=maybe`, 422, conversion("use_v2")],
    ])("refuses GET %s with %i", async (path, status, error) => {
      expect(await get(path)).toEqual([status, { error }]);
    });
  });

  describe("v3.walletInformation", () => {
    it("answers the same from the index and from the chain", async () => {
      const { wallets } = await story.ask("walletStates", `address=${accounts().join()}`);
      for (const wallet of wallets.filter(({ is_wallet }, at) => is_wallet && at % sized(4, 1) === 0)) {
        const { wallet_type, seqno, wallet_id, balance } = wallet;
        const legacy = await story.ask("walletInformation", `address=${wallet.address}`);
        expect(legacy).toMatchObject({ wallet_type, seqno, wallet_id, balance, status: "active" });
        expect(await story.ask("walletInformation", `address=${wallet.address}&use_v2=1`)).toEqual(legacy);
      }
      const other = wallets.find(({ is_wallet, status }) => !is_wallet && status === "active")!;
      const refused = await story.app.ask(`/api/v3/walletInformation?address=${other.address}`);
      expect([refused.status, refused.json]).toEqual([409, { error: "not a wallet" }]);
    });

    it("refuses accounts that do not exist but have transactions, answers those without any", async () => {
      const { accounts: states } = await story.ask("accountStates", `address=${accounts().join()}`);
      const gone = states.filter(({ status }) => status === "nonexist");
      expect(gone).not.toEqual([]);
      for (const { address } of gone) {
        const { status, json } = await story.app.ask(`/api/v3/walletInformation?address=${address}`);
        expect([status, json]).toEqual([409, { error: "not a wallet" }]);
        const { status: ofChain } = await story.ask("walletInformation", `address=${address}&use_v2=true`);
        expect(ofChain).toBe("uninitialized");
      }
      const never = await story.ask("walletInformation", `address=0:${"12".repeat(32)}`);
      expect(never).toEqual({
        balance: "0",
        last_transaction_lt: "0",
        last_transaction_hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        status: "uninit",
      });
    });

    it.each([
      ["walletInformation", 401, "address of account is required"],
      ["walletInformation?address=bad", 422, conversion("address")],
      ["wallet?address=", 422, conversion("address")],
      [`walletInformation?address=${elector}`, 409, "not a wallet"],
    ])("refuses GET %s with %i", async (path, status, error) => {
      expect(await get(path)).toEqual([status, { error }]);
    });
  });

  describe("v3.message", () => {
    it("sends a message once, and answers its hashes", async () => {
      const wallet = new TestWallet(`message on ${story.kind}`, "v4r2");
      await story.devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 5n * ton);
      await story.devnet.controls.mine(2);
      const boc = Buffer.from(wallet.pay({ to: wallet.address, value: ton })).toString("base64");
      const [status, hashes] = await post("message", { boc });
      expect([status, hashes]).toEqual([
        200,
        { message_hash: expect.any(String), message_hash_norm: expect.any(String) },
      ]);
      const [again, refusal] = await post("message", { boc });
      expect([again, refusal]).toEqual([
        500,
        {
          error: expect.stringContaining("duplicate message"),
          sentence: expect.stringContaining("has been sent this message already"),
          hint: expect.any(String),
        },
      ]);
    });

    it.each([
      [{}, 401, "boc is required"],
      [{ boc: "" }, 401, "boc is required"],
      [{ boc: "!" }, 422, "failed to parse post request: failed to parse boc"],
      [{ boc: empty }, 500, "Failed to unpack Message"],
    ])("refuses %j with %i", async (body, status, error) => {
      expect(await post("message", body)).toMatchObject([status, { error }]);
    });
  });

  describe("v3.estimateFee", () => {
    it("answers the later cost of the transaction", async () => {
      const wallet = new TestWallet(`fees on ${story.kind}`, "v4r2");
      const address = wallet.address.toRawUpper();
      await story.devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 5n * ton);
      await story.devnet.controls.mine(2);
      await post("message", { boc: toBase64(wallet.pay()) });
      await story.devnet.controls.mine(2);
      const order = wallet.pay({ to: wallet.address, value: ton });
      const body = bocText(decode(Message, parseBocRoot(order)).body);
      const [status, answer] = await post("estimateFee", { address, body });
      expect([status, answer]).toEqual([
        200,
        {
          source_fees: {
            in_fwd_fee: expect.any(Number),
            storage_fee: expect.any(Number),
            gas_fee: expect.any(Number),
            fwd_fee: expect.any(Number),
          },
          destination_fees: [],
        },
      ]);
      const { in_fwd_fee, gas_fee, fwd_fee } = (answer as { source_fees: Record<string, number> })
        .source_fees;
      await post("message", { boc: toBase64(order) });
      await story.devnet.controls.mine(1);
      const transactions = await story.app.v2<{ in_msg: { source: string }; other_fee: string }[]>(
        `getTransactions?address=${address}&limit=2`,
      );
      const paid = transactions.find(({ in_msg }) => in_msg.source === "");
      expect(in_fwd_fee! + gas_fee! + fwd_fee!).toBe(Number(paid!.other_fee));
    });

    it.each([
      [{}, 401, "address is required"],
      [{ address: friendly, body: "AAAA" }, 400, "INVALID_BAG_OF_CELLS: body"],
      [{ address: friendly, body: "!" }, 422, "failed to parse post request: failed to parse body"],
      [{ address: friendly, init_code: "!" }, 422, "failed to parse post request: failed to parse init_code"],
    ])("refuses %j with %i", async (body, status, error) => {
      expect(await post("estimateFee", body)).toEqual([status, { error }]);
    });
  });

  describe("v3.runGetMethod", () => {
    it("answers stack entries as objects", async () => {
      const [status, list] = await post("runGetMethod", {
        address: elector,
        method: "participant_list",
        stack: [],
      });
      expect([status, list]).toEqual([
        200,
        { gas_used: expect.any(Number), exit_code: 0, stack: [{ type: "list", value: [] }] },
      ]);
    });

    it("passes arguments, and answers the exit code of a failure", async () => {
      const stack = [
        { type: "num", value: "-0x1" },
        { type: "num", value: "18" },
      ];
      expect(await post("runGetMethod", { address: elector, method: "no_such_method", stack })).toEqual([
        200,
        { gas_used: expect.any(Number), exit_code: 11, stack: expect.any(Array) },
      ]);
      const bag = "te6cckEBAQEAAgAAAEysuc0=";
      const cells = [
        { type: "cell", value: bag },
        { type: "slice", value: bag },
        { type: "num", value: -5 },
      ];
      expect(await post("runGetMethod", { address: friendly, method: "85143", stack: cells })).toEqual([
        200,
        {
          gas_used: 0,
          exit_code: -13,
          stack: [
            { type: "cell", value: bag },
            { type: "slice", value: bag },
            { type: "num", value: "-0x5" },
            { type: "num", value: "0x14c97" },
          ],
        },
      ]);
    });

    it("takes JSON integers above 2^53 with every digit", async () => {
      const value = 2n ** 256n - 1n;
      const params = `{"address":"${friendly}","method":"85143","stack":[{"type":"num","value":${value}}]}`;
      const answered = { gas_used: 0, exit_code: -13, stack: [num(value), num(85143n)] };
      expect(await post("runGetMethod", params)).toEqual([200, answered]);
      const call = `{"jsonrpc":"2.0","id":1,"method":"v3.runGetMethod","params":${params}}`;
      expect((await late.post("/jsonRPC", call)).json).toMatchObject({ result: answered });
      expect(await post("runGetMethod", params.replace(String(value), "1e23"))).toEqual([
        422,
        { error: "stack entry is no number: 1e+23" },
      ]);
    });

    it.each([
      [{ method: "seqno" }, 401, "address is required"],
      [{ address: friendly }, 401, "method is required"],
      [{ address: friendly, method: "x", stack: 5 }, 422, "stack should be a list"],
      [
        { address: friendly, method: "x", stack: [{ type: "tuple", value: [] }] },
        422,
        "unsupported stack parameter type: tuple",
      ],
      [
        { address: friendly, method: "x", stack: [{ type: "num", value: "1e5" }] },
        422,
        "stack entry is no number: 1e5",
      ],
    ])("refuses %j with %i", async (body, status, error) => {
      expect(await post("runGetMethod", body)).toEqual([status, { error }]);
    });
  });
});

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
