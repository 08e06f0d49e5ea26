import { beforeAll, describe, expect, it } from "vitest";
import { jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { commentBody, externalMessage } from "../../server/devnet/wallets/compose.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { ChainHead } from "../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { configParam, encodeConfigParam } from "../../shared/ton/tlb/config/config-param.js";
import { onlyCoins } from "../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../shared/ton/tlb/message.js";
import { StateInit } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { type Emulated, emulated, outcomeOf, tonConnectPath, tracePath } from "../helpers/chain/emulated.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { compileRabbit } from "../helpers/contracts/rabbit.js";
import { callAs } from "../helpers/http/wire.js";
import { someAddress } from "../helpers/index/detection.js";
import { databaseKinds } from "../helpers/store/databases.js";
import { describeStory } from "../helpers/stories/describe-story.js";

const nobody = someAddress(0xac);
const idOf = ({ workchain, hash }: Address) => ({ workchain, id: hash });
const accountsOf = ({ transactions }: Pick<Emulated, "transactions">) =>
  Object.values(transactions).map(({ account }) => account);
/** Effects of a trace, apart from its block. */
const effectsOf = ({ transactions }: Pick<Emulated, "transactions">) =>
  Object.values(transactions).map(({ account, total_fees, in_msg, account_state_after: after }) => ({
    ...{ account, total_fees, value: in_msg?.value },
    ...{ balance: after.balance, data: after.data_hash, code: after.code_hash },
  }));
/** The values of a wallet that is not on the chain. */
const placed = ({ address, wallet: { init } }: TestWallet, balance: bigint) => ({
  address: address.toRaw(),
  balance: String(balance),
  code: bocText(init.code!),
  data: bocText(init.data!),
});

describeStory((story) => {
  // These results depend only on the chain, so one database suffices.
  const once = it.runIf(story.kind === databaseKinds.at(-1)![0]);
  const refusal = async (path: string, params: object) => {
    const { status, json } = await story.app.post(path, params);
    return [status, (json as { error: string }).error];
  };
  const traceOf = async (hash: string) =>
    (await story.ask("traces", `msg_hash=${encodeURIComponent(hash)}&include_actions=true`)).traces[0]!;

  describe("a bundle", () => {
    once("foretells what happens to messages that are sent one after the other", async () => {
      const payer = new TestWallet("sends a bundle", "v4r2");
      const other = new TestWallet("deployed in a bundle", "v5r1");
      await story.devnet.controls.setBalance(idOf(payer.address), 100n * ton);
      const messages = [
        payer.pay({ to: other.address, value: 10n * ton, bounce: false, init: other.wallet.init }),
        payer.pay({
          to: new Address(-1, nobody.hash),
          value: ton,
          bounce: false,
          body: commentBody("second"),
        }),
        other.pay({ to: payer.address, value: ton, bounce: false }),
        payer.pay({ to: other.address, value: ton, bounce: true }),
      ];
      const [boc, ...others] = messages.map((message) => Buffer.from(message).toString("base64"));
      const bundle = others.map((each) => ({ boc: each }));
      const { bundle: following, ...first } = await emulated(story.app, tracePath, {
        ...{ boc, bundle, with_actions: true },
      });
      const traces = [first, ...following!];
      for (const body of messages) {
        await story.devnet.api.sendMessage({ body });
        await story.devnet.controls.mine(1);
      }
      await story.devnet.controls.mine(3);
      await story.catchUp();
      for (const trace of traces)
        expect(outcomeOf(trace)).toEqual(outcomeOf(await traceOf(trace.trace.in_msg_hash!)));
      expect(traces.map((each) => accountsOf(each).length)).toEqual([2, 2, 2, 2]);
    });

    it("leaves the answer to its first message as it is without the others", async () => {
      const payer = new TestWallet(`first of a bundle on ${story.kind}`, "v4r2");
      const overrides = { accounts: [placed(payer, 5n * ton)] };
      const [boc, second] = [1, 2].map(() =>
        Buffer.from(payer.pay({ to: nobody, value: ton, bounce: false })).toString("base64"),
      );
      const extras = { with_actions: true, include_address_book: true, include_metadata: true };
      const { rand_seed: _, ...alone } = await emulated(story.app, tracePath, { boc, overrides, ...extras });
      const params = { boc, overrides, bundle: [{ boc: second }], ...extras };
      const { rand_seed: __, bundle, ...first } = await emulated(story.app, tracePath, params);
      expect(first).toEqual(alone);
      expect(Object.keys(bundle![0]!)).toEqual(
        [...Object.keys(alone), "rand_seed"].sort(inOrderOf(bundle![0]!)),
      );
      for (const form of ["POST", "TON Center JSON-RPC", "strict JSON-RPC", "batch"] as const) {
        const { result } = (await callAs(form, story.app, "v3.emulate.trace", params)) as {
          result: Emulated;
        };
        expect([form, result.bundle!.map(effectsOf)]).toEqual([form, bundle!.map(effectsOf)]);
      }
    });

    it("composes orders on the wallets as the messages before have left them", async () => {
      const payer = new TestWallet(`orders of a bundle on ${story.kind}`, "v5r1");
      const other = new TestWallet(`gets an order on ${story.kind}`, "v3r2");
      const { init } = other.wallet;
      const order = (from: TestWallet, to: Address, more: object = {}) => ({
        from: from.address.toRaw(),
        messages: [{ address: to.toFriendly({ bounceable: false }), amount: String(ton), ...more }],
      });
      const stateInit = bocText(encode(StateInit, init));
      const overrides = { accounts: [placed(payer, 50n * ton)] };
      const bundle = [order(payer, nobody), order(other, nobody), order(payer, other.address)];
      const paid = order(payer, other.address, { stateInit, amount: String(3n * ton) });
      const answer = await emulated(story.app, tonConnectPath, { ...paid, bundle, overrides });
      const [payerRaw, otherRaw, nobodyRaw] = [payer.address, other.address, nobody].map((each) =>
        each.toRawUpper(),
      );
      expect([answer, ...answer.bundle!].map(accountsOf)).toEqual([
        [payerRaw, otherRaw],
        [payerRaw, nobodyRaw],
        [otherRaw, nobodyRaw],
        [payerRaw, otherRaw],
      ]);
    });

    it("knows the tokens that an earlier message has made", async () => {
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=100&exclude_zero_balance=true");
      const { address, owner, jetton, balance } = jetton_wallets.find(
        (each) => each.owner !== null && BigInt(each.balance) > 1n,
      )!;
      const receiver = new TestWallet(`gets jettons on ${story.kind}`, "v4r2");
      const overrides = {
        accounts: [placed(receiver, 10n * ton), { address: owner, balance: String(100n * ton) }],
      };
      const transfer = (to: Address) =>
        bocText(jettonTransferBody({ to, amount: BigInt(balance), excessesTo: to, queryId: 1 }));
      const boc = internal(
        Address.read(owner)!.address,
        Address.read(address)!.address,
        transfer(receiver.address),
      );
      const first = await emulated(story.app, tracePath, { boc, overrides, with_actions: true });
      expect(first.actions[0]).toMatchObject({ type: "jetton_transfer", success: true });
      const { receiver_jetton_wallet: created } = first.actions[0]!.details as {
        receiver_jetton_wallet: string;
      };
      const bundle = [
        {
          from: receiver.address.toRaw(),
          messages: [{ address: created, amount: String(ton / 5n), payload: transfer(nobody) }],
        },
      ];
      const params = { boc, overrides, bundle, with_actions: true, include_metadata: true };
      const [next] = (await emulated(story.app, tracePath, params)).bundle!;
      expect(next!.actions[0]).toMatchObject({
        ...{ type: "jetton_transfer", success: true, details: { asset: jetton, amount: balance } },
      });
      expect(next!.metadata![created]).toMatchObject({
        token_info: [{ type: "jetton_wallets", extra: { jetton } }],
      });
    });

    it("fails as a whole, and names the message that has no trace", async () => {
      const payer = new TestWallet(`refused in a bundle on ${story.kind}`, "v4r2");
      const overrides = { accounts: [placed(payer, 5n * ton)] };
      const boc = Buffer.from(payer.pay({ to: nobody, value: 1n, bounce: false })).toString("base64");
      expect(await refusal(tracePath, { boc, overrides, bundle: [{ boc }] })).toEqual([
        500,
        "bundle[0]: failed to emulate shard block: EmulationExternalNotAccepted: 33",
      ]);
      const next = Buffer.from(payer.pay({ to: nobody, value: 1n, bounce: false })).toString("base64");
      const stranger = { from: nobody.toRaw(), messages: [{ address: nobody.toRaw(), amount: "1" }] };
      expect(await refusal(tracePath, { boc, overrides, bundle: [{ boc: next }, stranger] })).toEqual([
        500,
        "bundle[1]: Account state no code or no data",
      ]);
      expect(await refusal(tracePath, { boc, overrides, bundle: [{ boc: "AAAA" }] })).toEqual([
        500,
        "bundle[0]: Can't deserialize message boc: it is no bag of one root cell",
      ]);
    });

    once("has the limits of one emulation", async () => {
      const rabbit = await compileRabbit();
      const user = someAddress(0x2d);
      const account = { address: user.toRaw(), code: bocText(rabbit), data: bocText(Cell.empty) };
      const overrides = { accounts: [{ ...account, balance: String(1_000_000n * ton) }] };
      const boc = bocText(externalMessage(user, Cell.empty));
      const alone = await emulated(story.app, tracePath, { boc, overrides });
      expect([accountsOf(alone).length, alone.is_incomplete]).toEqual([256, true]);
      expect(await refusal(tracePath, { boc, overrides, bundle: [{ boc }] })).toEqual([
        413,
        "bundle[0]: the messages before it have used the limits of an emulation",
      ]);
    });

    it("is refused with its place in the request", async () => {
      const boc = bocText(externalMessage(nobody, Cell.empty));
      const of = (bundle: unknown) => refusal(tracePath, { boc, bundle });
      expect(await of({})).toEqual([400, "invalid request: bundle must be an array"]);
      expect(await of([{ boc }, 7])).toEqual([400, "bundle[1]: invalid request: it must be an object"]);
      expect(await of([{}])).toEqual([400, "bundle[0]: invalid request: boc is required"]);
      expect(await of([{ boc: "%" }])).toEqual([
        400,
        "bundle[0]: invalid request: invalid boc: illegal base64 data at input byte 0",
      ]);
      expect(await of([{ from: nobody.toRaw(), messages: [] }])).toEqual([
        400,
        "bundle[0]: invalid request: messages array cannot be empty",
      ]);
      expect(await of(new Array(8).fill({ boc }))).toEqual([
        400,
        "invalid request: bundle cannot contain more than 7 messages after the first one",
      ]);
    });
  });

  describe("v3.emulate with overrides", () => {
    const payer = new TestWallet(`overridden on ${story.kind}`, "v4r2");
    let boc: string;
    beforeAll(() => {
      boc = Buffer.from(payer.pay({ to: nobody, value: ton, bounce: false })).toString("base64");
    });

    it("runs on accounts that only the call has, as on accounts that the chain has", async () => {
      const [status] = await refusal(tracePath, { boc });
      expect(status).toBe(500);
      const overrides = { accounts: [placed(payer, 7n * ton)] };
      const supposed = await emulated(story.app, tracePath, { boc, overrides });
      expect(await refusal(tracePath, { boc })).toEqual([500, expect.any(String)]);
      const { code, data } = payer.wallet.init;
      await story.devnet.controls.setAccount(idOf(payer.address), {
        ...{ balance: 7n * ton, code: serializeBoc(code!), data: serializeBoc(data!) },
      });
      await story.devnet.controls.mine(1);
      const real = await emulated(story.app, tracePath, { boc });
      expect(effectsOf(supposed)).toEqual(effectsOf(real));
      // The chain's own account is replaced in parts.
      const poorer = await emulated(story.app, tracePath, {
        ...{ boc, overrides: { accounts: [{ address: payer.address.toRaw(), balance: String(2n * ton) }] } },
      });
      const [[own], [poor]] = [effectsOf(real), effectsOf(poorer)];
      expect(BigInt(own!.balance!) - BigInt(poor!.balance!)).toBe(5n * ton);
      expect({ ...poor, balance: 0 }).toEqual({ ...own, balance: 0 });
      expect(effectsOf(await emulated(story.app, tracePath, { boc }))).toEqual(effectsOf(real));
    });

    it("begins at the time of the call, and goes on from there", async () => {
      const overrides = { accounts: [placed(payer, 7n * ton)], now: 1_900_000_000 };
      const answer = await emulated(story.app, tracePath, { boc, overrides });
      expect(Object.values(answer.transactions).map(({ now }) => now)).toEqual([
        1_900_000_000, 1_900_000_000,
      ]);
      const late = { from: payer.address.toRaw(), messages: [{ address: nobody.toRaw(), amount: "1" }] };
      const params = { ...late, overrides, bundle: [late, { ...late, valid_until: 1_900_000_001 }] };
      // The second order is received a second later, and the third one at the time when it expires.
      expect(await refusal(tonConnectPath, params)).toEqual([
        500,
        "bundle[1]: failed to emulate shard block: EmulationExternalNotAccepted: 36",
      ]);
      params.bundle.pop();
      const { bundle } = await emulated(story.app, tonConnectPath, params);
      expect(Object.values(bundle![0]!.transactions)[0]!.now).toBe(1_900_000_001);
    });

    it("composes orders until the last unix time", async () => {
      const order = { from: payer.address.toRaw(), messages: [{ address: nobody.toRaw(), amount: "1" }] };
      for (const now of [2 ** 32 - 301, 2 ** 32 - 300, 2 ** 32 - 2]) {
        const overrides = { accounts: [placed(payer, 7n * ton)], now };
        const { transactions } = await emulated(story.app, tonConnectPath, { ...order, overrides });
        expect(Object.values(transactions).map((each) => each.now)).toEqual([now, now]);
      }
      // An order would expire after it.
      const last = { accounts: [placed(payer, 7n * ton)], now: 2 ** 32 - 1 };
      expect(await refusal(tonConnectPath, { ...order, overrides: last })).toEqual([
        500,
        "failed to emulate shard block: EmulationExternalNotAccepted: 36",
      ]);
    });

    it("takes the configuration of the call", async () => {
      const head = new ChainHead(await story.devnet.api.getMasterchainInfo(), Date.now);
      const { params } = await new ChainReader({ lite: story.devnet.api, head }).config(head.last);
      const prices = configParam(params, 21)!;
      const dear = encodeConfigParam(21, { ...prices, gasPrice: 5n * prices.gasPrice, flat: undefined });
      const accounts = [placed(payer, 7n * ton)];
      const gasFees = async (config: object[]) => {
        const answer = await emulated(story.app, tracePath, { boc, overrides: { accounts, config } });
        const { compute_ph } = Object.values(answer.transactions)[0]!.description;
        return Number((compute_ph as { gas_fees: string }).gas_fees);
      };
      const [plain, raised] = [await gasFees([]), await gasFees([{ param: 21, boc: bocText(dear) }])];
      expect(raised / plain).toBeCloseTo(5, 1);
      expect(await gasFees([])).toBe(plain);
    });

    it("leaves out the messages that wait", async () => {
      const waiter = new TestWallet(`waits on ${story.kind}`, "v4r2");
      await story.devnet.controls.faucet(idOf(waiter.address), 20n * ton);
      await story.devnet.controls.mine(1);
      const [first, second] = [1, 2].map(() => waiter.pay({ to: nobody, value: 1n, bounce: false }));
      await story.devnet.api.sendMessage({ body: first! });
      const next = Buffer.from(second!).toString("base64");
      expect(accountsOf(await emulated(story.app, tracePath, { boc: next }))).toHaveLength(2);
      const overrides = { accounts: [{ address: nobody.toRaw(), balance: "1" }] };
      expect(await refusal(tracePath, { boc: next, overrides })).toEqual([
        500,
        "failed to emulate shard block: EmulationExternalNotAccepted: 0",
      ]);
      await story.devnet.controls.mine(2);
    });

    it("recognises contracts as the call has them", async () => {
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=100&exclude_zero_balance=true");
      const { address, owner, jetton, balance } = jetton_wallets.find((each) => each.owner !== null)!;
      const raw = Address.read(address)!.address;
      const head = new ChainHead(await story.devnet.api.getMasterchainInfo(), Date.now);
      const reader = new ChainReader({ lite: story.devnet.api, head });
      const { data } = await reader.account(head.last, raw);
      const rest = data!.parse();
      expect(rest.loadCoins()).toBe(BigInt(balance));
      const amount = BigInt(balance) + 1n;
      const rich = beginCell().storeCoins(amount).storeSlice(rest).endCell();
      const overrides = { accounts: [{ address, data: bocText(rich) }] };
      const to = nobody;
      const body = bocText(jettonTransferBody({ to, amount, excessesTo: to, queryId: 1 }));
      const message = internal(Address.read(owner)!.address, raw, body);
      const answer = await emulated(story.app, tracePath, {
        ...{ boc: message, overrides, with_actions: true, include_metadata: true },
      });
      expect(answer.actions[0]).toMatchObject({
        ...{ type: "jetton_transfer", success: true, details: { asset: jetton, amount: String(amount) } },
      });
      const plain = await emulated(story.app, tracePath, { boc: message, with_actions: true });
      expect(plain.actions[0]).toMatchObject({ success: false });
    });

    it("refuses what the executor cannot run with", async () => {
      const accounts = [placed(payer, 7n * ton)];
      const wrong = [{ param: 21, boc: bocText(beginCell().storeUint(1, 8).endCell()) }];
      expect(await refusal(tracePath, { boc, overrides: { accounts, config: wrong } })).toEqual([
        422,
        "overrides.config[0].boc is no configuration parameter 21",
      ]);
      expect(await refusal(tracePath, { boc, overrides: 7 })).toEqual([422, "overrides must be an object"]);
    });
  });
});

/** The order of an object's members. */
function inOrderOf(object: object) {
  const names = Object.keys(object);
  return (a: string, b: string) => names.indexOf(a) - names.indexOf(b);
}

/** An internal message with three coins. */
function internal(src: Address, dest: Address, body: string): string {
  const info = {
    kind: "internal",
    ...{ ihrDisabled: true, bounce: true, bounced: false, src, dest },
    ...{ value: onlyCoins(3n * ton), extraFlags: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 },
  } as const;
  return bocText(encode(Message, composeMessage({ info, body: parseBocRoot(Buffer.from(body, "base64")) })));
}
