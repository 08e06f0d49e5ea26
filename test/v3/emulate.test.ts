import { beforeAll, describe, expect, it } from "vitest";
import { Executor } from "../../server/chain/executor/executor.js";
import { TraceEmulator } from "../../server/chain/run/trace-emulator.js";
import type { Payment } from "../../server/contracts/wallet-order.js";
import { jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { commentBody, externalMessage } from "../../server/devnet/wallets/compose.js";
import { Wallet, type WalletVersion } from "../../server/devnet/wallets/wallet.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { ChainHead } from "../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../shared/ton/run/code-libraries.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../shared/ton/tlb/message.js";
import { StateInit, stateInitOf } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes } from "../../shared/values/bytes.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { type Emulated, emulated, outcomeOf, tonConnectPath, tracePath } from "../helpers/chain/emulated.js";
import { frozenAccount } from "../helpers/chain/frozen-account.js";
import { libraryCell, publishingCode } from "../helpers/chain/library-cell.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { compileRabbit } from "../helpers/contracts/rabbit.js";
import { compile } from "../helpers/contracts/tolk.js";
import { isLong, sized } from "../helpers/effort.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import { callAs } from "../helpers/http/wire.js";
import { place, someAddress } from "../helpers/index/detection.js";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import { databaseKinds } from "../helpers/store/databases.js";
import { describeStory, type StoryIndex, type Transaction } from "../helpers/stories/describe-story.js";

const everything = {
  with_actions: true,
  include_code_data: true,
  include_address_book: true,
  include_metadata: true,
};

type Trace = V3Result<"traces">["traces"][number];

const nobody = someAddress(0xab);
const idOf = ({ workchain, hash }: Address) => ({ workchain, id: hash });

/** The message that a transaction received. */
async function messageOf(reader: ChainReader, { account, lt, hash }: Transaction): Promise<Cell> {
  const { address } = Address.read(account)!;
  const from = { lt: BigInt(lt), hash: base64ToBytes(hash)! };
  const { transactions } = await reader.transactions({ address, from, limit: 1, toLt: 0n });
  return transactions[0]!.transaction.messages.value.inMsg!.cell;
}

async function traceOf({ ask }: StoryIndex, query: string): Promise<Trace> {
  return (await ask("traces", `${query}&include_actions=true`)).traces[0]!;
}

const transactionsOf = ({ transactions }: Pick<Trace, "transactions">) => Object.values(transactions ?? {});

/** Whether no other trace had to do with the accounts of a trace from its first block to its last. */
function wasAlone(trace: Trace, all: readonly Transaction[]): boolean {
  const own = transactionsOf(trace);
  const accounts = new Set(own.map(({ account }) => account));
  const seqnos = own.map(({ mc_block_seqno }) => mc_block_seqno);
  return !all.some(
    ({ trace_id, account, mc_block_seqno: seqno }) =>
      trace_id !== trace.trace_id &&
      accounts.has(account) &&
      seqno >= Math.min(...seqnos) &&
      seqno <= Math.max(...seqnos),
  );
}

/** Sum of a member of all transactions. */
function compute({ transactions }: Pick<Emulated, "transactions">) {
  return Object.values(transactions).map(({ account, total_fees, in_msg, description: { compute_ph } }) => ({
    account,
    total_fees,
    value: in_msg?.value,
    body: in_msg?.source === null ? undefined : in_msg?.message_content?.hash,
    gas: compute_ph && "gas_used" in compute_ph ? compute_ph.gas_used : undefined,
  }));
}

describeStory((story) => {
  // These results depend only on the chain, so one database suffices.
  const once = it.runIf(story.kind === databaseKinds.at(-1)![0]);
  const wallet = new TestWallet("emulation", "v4r2");
  const refusal = async (path: string, params: object | string) => {
    const { status, json } = await story.app.post(path, params);
    return [status, (json as { error: string }).error];
  };
  let signed: string;
  beforeAll(async () => {
    await story.devnet.controls.faucet(idOf(wallet.address), 50n * ton);
    await story.devnet.controls.mine(3);
    await story.catchUp();
    signed = bocText(
      wallet.wallet.order({
        seqno: 0,
        validUntil: 0xffffffff,
        payments: [{ to: nobody, value: ton, bounce: false, body: commentBody("hello") }],
      }),
    );
  });

  describe("v3.emulate.trace", () => {
    once("foretells what happened to the messages of the story", async () => {
      const head = new ChainHead(await story.devnet.api.getMasterchainInfo(), Date.now);
      const reader = new ChainReader({ lite: story.devnet.api, head });
      const external = ({ in_msg }: Transaction) => in_msg !== null && in_msg.source === null;
      const every = sized(20, 1);
      let compared = 0;
      for (const first of story.all.filter(external).filter((_, place) => place % every === 0)) {
        const trace = await traceOf(story, `tx_hash=${encodeURIComponent(first.hash)}`);
        if (!wasAlone(trace, story.all)) continue;
        const boc = bocText(await messageOf(reader, first));
        const mc_block_seqno = first.mc_block_seqno - 1;
        const answer = await emulated(story.app, tracePath, { boc, mc_block_seqno, ...everything });
        expect(outcomeOf(answer)).toEqual(outcomeOf(trace));
        expect([answer.mc_block_seqno, answer.is_incomplete]).toEqual([mc_block_seqno, false]);
        const known = new Set(Object.keys(answer.address_book!));
        expect(transactionsOf(trace).filter(({ account }) => !known.has(account))).toEqual([]);
        compared++;
      }
      expect(compared).toBeGreaterThan(60 / every);
    });

    once("foretells what happens to random messages", async () => {
      const rounds = sized(1, 4);
      const random = pseudoRandom(11);
      const upTo = (count: number) => Math.floor(random.next().value * count);
      const versions: WalletVersion[] = ["v3r2", "v4r2", "v5r1", "tg"];
      const wallets = Array.from({ length: sized(4, 50) }, (_, n) => {
        const version = versions[n % 4]!;
        return { wallet: new TestWallet(`random/${n}`, version), version };
      });
      for (const { wallet } of wallets)
        await story.devnet.controls.setBalance(idOf(wallet.address), BigInt(1 + upTo(100)) * ton);
      // No account is part of two traces of a round.
      const payment = (round: number, n: number, place: number): Payment => {
        const id = new Uint8Array(32).fill(7);
        id.set([round, n, place]);
        const stranger = new Address(upTo(8) === 0 ? -1 : 0, id);
        const other = new TestWallet(`${round}/${n}/${place}`, versions[upTo(4)]!).wallet;
        const isDeployed = upTo(4) === 0;
        return {
          to: isDeployed ? other.address : upTo(6) === 0 ? wallets[n]!.wallet.address : stranger,
          value: BigInt(upTo(8e9)),
          bounce: upTo(2) === 0,
          ...(isDeployed && { init: other.init }),
          ...(upTo(3) > 0 && { body: commentBody("x".repeat(upTo(400))) }),
        };
      };
      const expected: [hash: string, outcome: unknown][] = [];
      for (let round = 0; round < rounds; round++) {
        const messages = wallets.map(({ wallet }, n) =>
          wallet.pay(...Array.from({ length: 1 + upTo(4) }, (_, place) => payment(round, n, place))),
        );
        for (const message of messages) {
          const boc = Buffer.from(message).toString("base64");
          const answer = await emulated(story.app, tracePath, { boc, with_actions: true });
          const { in_msg_hash } = answer.trace;
          expected.push([in_msg_hash!, outcomeOf(answer)]);
        }
        for (const body of messages) await story.devnet.api.sendMessage({ body });
        await story.devnet.controls.mine(4);
      }
      await story.catchUp();
      for (const [hash, outcome] of expected)
        expect(outcomeOf(await traceOf(story, `msg_hash=${encodeURIComponent(hash)}`))).toEqual(outcome);
      expect(expected).toHaveLength(rounds * wallets.length);
    });

    /** Emulates a message, then sends it: the trace that follows must be the emulated one. */
    const foretell = async (message: Cell) => {
      const boc = bocText(message);
      const answer = await emulated(story.app, tracePath, { boc, with_actions: true });
      await story.devnet.api.sendMessage({ body: serializeBoc(message) });
      await story.devnet.controls.mine(4);
      await story.catchUp();
      const hash = encodeURIComponent(answer.trace.in_msg_hash!);
      expect(outcomeOf(answer)).toEqual(outcomeOf(await traceOf(story, `msg_hash=${hash}`)));
      return transactionsOf(answer);
    };
    const order = (from: TestWallet, ...payments: Payment[]) => parseBocRoot(from.pay(...payments));

    const onceInLong = isLong ? once : it.skip;
    onceInLong("foretells what frozen accounts do, and how one is thawed", async () => {
      const payer = new TestWallet("pays the frozen", "v4r2");
      await story.devnet.controls.setBalance(idOf(payer.address), 100n * ton);
      const frozen = new TestWallet("frozen").wallet;
      // With its address's own state the account would be uninitialised rather than frozen.
      const init = stateInitOf(frozen.init.code!, Cell.empty);
      const lastPaid = Math.max(...story.all.map(({ now }) => now));
      const freeze = (address: Address) => {
        const account = serializeBoc(frozenAccount(address, init, ton / 5n, lastPaid));
        return story.devnet.controls.setAccount(idOf(address), { account });
      };
      await freeze(frozen.address);
      const pay = (value: bigint, more: Partial<Payment> = {}) =>
        foretell(order(payer, { to: frozen.address, value, bounce: false, ...more }));
      const [, poor] = await pay(ton / 2n);
      expect(poor).toMatchObject({
        orig_status: "frozen",
        end_status: "frozen",
        description: { compute_ph: { skipped: true, reason: "no_state" } },
      });
      // The part of the amount that is not due bounces.
      const returned = await pay(3n * ton, { bounce: true });
      expect(returned.map(({ account }) => account)).toEqual([
        payer.address.toRawUpper(),
        frozen.address.toRawUpper(),
        payer.address.toRawUpper(),
      ]);
      const [, thawed] = await pay(3n * ton, { init });
      expect(thawed).toMatchObject({ orig_status: "frozen", end_status: "active" });
      // An account without a state accepts no orders.
      const still = new Address(0, new Uint8Array(32).fill(0x1f));
      await freeze(still);
      const [status] = await refusal(tracePath, { boc: bocText(externalMessage(still, Cell.empty)) });
      expect(status).toBe(500);
    });

    once("foretells what code does that is a library, once it is published", async () => {
      const receiver = someAddress(0x23);
      const library = await compile(`
        import "@stdlib/gas-payments"
        fun onExternalMessage() {
          acceptExternalMessage();
          createMessage({
            bounce: false, dest: address("${receiver.toRaw()}"), value: ton("0.1")
          }).send(1);
        }`);
      const user = someAddress(0x21);
      await place(story.devnet, user, libraryCell(library));
      const message = externalMessage(user, beginCell().storeUint(7, 8).endCell());
      expect(await refusal(tracePath, { boc: bocText(message) })).toEqual([
        500,
        "failed to emulate shard block: EmulationExternalNotAccepted: 9",
      ]);
      const publisher = new Address(-1, new Uint8Array(32).fill(0x22));
      await place(story.devnet, publisher, publishingCode(library));
      await story.devnet.controls.faucet(idOf(publisher), 100n * ton);
      await story.devnet.controls.mine(2);
      const transactions = await foretell(message);
      expect(transactions.map(({ account }) => account)).toEqual([user.toRawUpper(), receiver.toRawUpper()]);
    });

    it("answers only the requested parts, over REST and JSON-RPC alike", async () => {
      const plain = await emulated(story.app, tracePath, { boc: signed });
      expect(Object.keys(plain)).toEqual([
        "mc_block_seqno",
        "trace",
        "transactions",
        "actions",
        "rand_seed",
        "is_incomplete",
      ]);
      expect([plain.actions, transactionsOf(plain).length, plain.is_incomplete]).toEqual([[], 2, false]);
      for (const transaction of transactionsOf(plain))
        expect(transaction).toMatchObject({ emulated: true, finality: "pending", mc_block_seqno: 0 });
      for (const form of ["POST", "TON Center JSON-RPC", "strict JSON-RPC", "batch"] as const) {
        const ended = await callAs(form, story.app, "v3.emulate.trace", { boc: signed });
        const { rand_seed, ...rest } = (ended as { result: Emulated }).result;
        const { rand_seed: other, ...wanted } = plain;
        expect([form, rest]).toEqual([form, wanted]);
        expect(rand_seed).not.toBe(other);
      }
    });

    it("has the cells, the address book and the actions", async () => {
      const answer = await emulated(story.app, tracePath, { boc: signed, ...everything });
      const own = wallet.address.toRawUpper();
      const states = transactionsOf(answer).flatMap((t) => [t.account_state_before, t.account_state_after]);
      const hashes = (member: "code_hash" | "data_hash") =>
        [...new Set(states.flatMap((state) => state[member] ?? []))].sort();
      expect(Object.keys(answer.code_cells!).sort()).toEqual(hashes("code_hash"));
      expect(Object.keys(answer.data_cells!).sort()).toEqual(hashes("data_hash"));
      expect(Object.values(answer.code_cells!)).toEqual([bocText(wallet.wallet.init.code!)]);
      expect(Object.keys(answer.address_book!).sort()).toEqual([nobody.toRawUpper(), own].sort());
      expect(answer.actions.map(({ type, accounts }) => [type, accounts?.includes(own)])).toEqual([
        ["contract_deploy", true],
        ["ton_transfer", true],
      ]);
      const typed = { boc: signed, with_actions: true, supported_action_types: ["v1"] };
      expect((await emulated(story.app, tracePath, typed)).actions).toHaveLength(2);
    });

    it("accepts any signature if it is asked to, of the first contract alone", async () => {
      const boc = bocText(
        new Wallet("v4r2", {
          publicKey: wallet.wallet.publicKey,
          sign: () => new Uint8Array(64),
        } as never).order({
          seqno: 0,
          validUntil: 0xffffffff,
          payments: [{ to: nobody, value: ton }],
        }),
      );
      expect(await refusal(tracePath, { boc })).toEqual([
        500,
        "failed to emulate shard block: EmulationExternalNotAccepted: 35",
      ]);
      const answer = await emulated(story.app, tracePath, { boc, ignore_chksig: true });
      expect(transactionsOf(answer).map(({ account }) => account)).toContain(nobody.toRawUpper());
    });

    it("begins with an internal message as well", async () => {
      const info = {
        kind: "internal",
        ...{ ihrDisabled: true, bounce: true, bounced: false, src: nobody, dest: wallet.address },
        ...{ value: onlyCoins(ton), extraFlags: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 },
      } as const;
      const boc = bocText(encode(Message, composeMessage({ info })));
      const answer = await emulated(story.app, tracePath, { boc, with_actions: true });
      expect(transactionsOf(answer)).toMatchObject([{ account: wallet.address.toRawUpper() }, {}]);
    });

    once("stops when its transactions took too much processor time", async () => {
      const address = someAddress(0x17);
      await place(story.devnet, address, await compileRabbit());
      await story.devnet.controls.setBalance(idOf(address), 1000n * ton);
      const head = new ChainHead(await story.devnet.api.getMasterchainInfo(), Date.now);
      const reader = new ChainReader({ lite: story.devnet.api, head });
      const executor = await Executor.create();
      const emulator = new TraceEmulator({
        reader,
        libraries: new CodeLibraries(reader),
        executor: {
          runTransaction: async (request) => ({ ...executor.runTransaction(request), cpuMs: 400 }),
        },
      });
      const message = externalMessage(address, Cell.empty);
      const call = { signal: new AbortController().signal };
      const { transactions, isCut } = await emulator.emulate(message, { maxCpuMs: 1000 }, call);
      expect([transactions.length, isCut]).toEqual([3, true]);
    });

    const deep = (depth: number) => {
      let cell = Cell.empty;
      for (let level = 0; level < depth; level++) cell = beginCell().storeRef(cell).endCell();
      return cell;
    };
    const toNobody = (body: Cell) => bocText(externalMessage(nobody, body));
    const notRun =
      "cannot run message on account inbound external message rejected by account " +
      `${nobody.toRawUpper().slice(2)} before smart-contract execution`;
    const invalid = (problem: string) => [400, `invalid request: ${problem}`] as const;
    const unread = [500, "Can't deserialize message boc: it is no bag of one root cell"] as const;
    const unsent = (problem: string) => [500, `in msg found with no destination: ${problem}`] as const;
    const failed = (problem: string) => [500, `failed to emulate shard block: ${problem}`] as const;
    const bits = (...values: (0 | 1)[]) =>
      bocText(values.reduce((to, bit) => to.storeUint(bit, 1), beginCell()).endCell());
    /** An internal message to `addr_var$11` with an address of 8 bits. */
    const toShort = beginCell()
      .storeUint(0b0110, 4)
      .storeAddress(nobody)
      .storeUint(0b110, 3)
      .storeUint(8, 9)
      .storeUint(0, 32 + 8)
      .storeUint(0, 4 + 1 + 4 + 4)
      .storeUint(0, 64 - 32)
      .storeUint(0, 32 + 32)
      .storeUint(0, 2)
      .endCell();
    it.each([
      ["nothing", {}, invalid("boc is required")],
      ["an empty text", { boc: "" }, invalid("boc is required")],
      ["null", { boc: null }, invalid("boc is required")],
      ["a number", { boc: 1 }, invalid("invalid boc: it must be a base64 text")],
      ["no base64", { boc: "te6c*" }, invalid("invalid boc: illegal base64 data at input byte 4")],
      ["cut base64", { boc: "te6cc" }, invalid("invalid boc: illegal base64 data at input byte 5")],
      ["malformed JSON", "{", [400, expect.stringMatching(/^invalid request: .*JSON/)]],
      ["a list", [], invalid("failed to parse post request: the body must be an object")],
      ["no bag", { boc: "AAAA" }, unread],
      ["an empty cell", { boc: bocText(Cell.empty) }, unsent("Ext out message found")],
      ["no external message", { boc: bits(1, 0, 1) }, unsent("Can't unpack external message")],
      ["no internal message", { boc: bits(0, 1, 1) }, unsent("Can't unpack internal message")],
      [
        "a message to an address of 8 bits",
        { boc: bocText(toShort) },
        unsent("Can't extract address from internal message"),
      ],
      [
        "a flag that is no boolean",
        { boc: "AAAA", with_actions: "perhaps" },
        invalid("with_actions must be a boolean"),
      ],
      [
        "a seqno below 0",
        { boc: "AAAA", mc_block_seqno: -1 },
        invalid("mc_block_seqno must be an integer from 0 to 4294967295"),
      ],
      ["an account without code", { boc: toNobody(commentBody("hi")) }, failed(notRun)],
      [
        "a bag with much behind it",
        { boc: Buffer.concat([serializeBoc(deep(1)), Buffer.alloc(700_000)]).toString("base64") },
        unread,
      ],
      [
        "a message that is too deep",
        { boc: toNobody(deep(1022)) },
        unsent("Message is deeper than 1020 cells"),
      ],
      [
        "an address in no workchain",
        { boc: bocText(externalMessage(new Address(5, nobody.hash), Cell.empty)) },
        failed("no shard found for message"),
      ],
    ] as const)("refuses %s", async (_, params, wanted) => {
      expect(await refusal(tracePath, params)).toEqual(wanted);
    });

    it("calls a bag of cells that is no message invalid params in strict JSON-RPC", async () => {
      for (const boc of ["AAAA", bocText(Cell.empty), bits(1, 0, 1)]) {
        const [status, message] = await refusal(tracePath, { boc });
        const call = { jsonrpc: "2.0", id: 1, method: "v3.emulate.trace", params: { boc } };
        expect((await story.app.post("/jsonRPC", call)).json).toMatchObject({
          error: { code: -32602, message, data: { code: status, kind: "invalid-params" } },
        });
      }
    });

    it("refuses blocks that are not there, and a message from a contract", async () => {
      const at = (mc_block_seqno: number) => refusal(tracePath, { boc: signed, mc_block_seqno });
      expect(await at(4_294_967_295)).toEqual([500, "mc block seqno is too new"]);
      expect(await at(0)).toEqual([500, "failed to fetch mc block 0: it is the zero state"]);
      // The wallet had no money yet.
      expect((await at(1))[0]).toBe(500);
      const info = {
        kind: "externalOut",
        src: nobody,
        dest: undefined,
        createdLt: 0n,
        createdAt: 0,
      } as const;
      const boc = bocText(encode(Message, composeMessage({ info })));
      expect(await refusal(tracePath, { boc })).toEqual(unsent("Ext out message found"));
    });

    it("runs messages as deep as they may be", async () => {
      expect(await refusal(tracePath, { boc: toNobody(deep(1000)) })).toEqual(failed(notRun));
      const body = beginCell().storeRef(deep(1000)).endCell();
      const boc = bocText(externalMessage(wallet.address, body, wallet.wallet.init));
      expect((await refusal(tracePath, { boc }))[1]).toMatch(/EmulationExternalNotAccepted: 9$/);
    });
  });

  describe("v3.emulate.tonConnect", () => {
    const senders = (["v3r2", "v4r2", "v5r1", "tg"] as const).map(
      (version) => [version, new TestWallet(`connected to ${story.kind}`, version)] as const,
    );
    beforeAll(async () => {
      for (const [, sender] of senders) await story.devnet.controls.faucet(idOf(sender.address), 20n * ton);
      for (const [, sender] of senders)
        await story.devnet.api.sendMessage({ body: sender.pay({ to: sender.address, value: ton }) });
      await story.devnet.controls.mine(3);
      await story.catchUp();
    });

    it.each(senders)("composes the message that a %s would sign", async (version, sender) => {
      const other = new TestWallet("deployed by an app").wallet;
      const payments = [
        { to: nobody, value: ton, bounce: false, body: commentBody("for an app") },
        { to: other.address, value: 2n * ton, bounce: true, init: other.init },
      ];
      const valid_until = 4_000_000_000;
      const messages = payments.map(({ to, value, bounce, body, init }) => ({
        address: to.toFriendly({ bounceable: bounce }),
        amount: String(value),
        payload: body ? bocText(body) : null,
        ...(init && { stateInit: bocText(encode(StateInit, init)) }),
      }));
      const params = { from: sender.address.toFriendly(), messages, valid_until, with_actions: true };
      const answer = await emulated(story.app, tonConnectPath, params);
      const boc = bocText(sender.wallet.order({ seqno: 1, validUntil: valid_until, payments }));
      const real = await emulated(story.app, tracePath, { boc, with_actions: true });
      expect(compute(answer)).toEqual(compute(real));
      expect(transactionsOf(answer)).toHaveLength(3);
      const shown = ({ actions }: Emulated) => actions.map(({ type, details }) => [type, details]);
      expect(shown(answer)).toEqual(shown(real));
      // Neither milliseconds nor nanoseconds are another time.
      for (const unit of version === "v5r1" ? [1000n, 1_000_000n, 1_000_000_000n] : []) {
        const body = JSON.stringify(params).replace(
          /(?<="valid_until":)\d+/,
          String(BigInt(valid_until) * unit),
        );
        const { json } = await story.app.post(tonConnectPath, body);
        expect(compute(json as Emulated)).toEqual(compute(real));
      }
    });

    it("describes tokens that exist in the emulation only", async () => {
      const { jetton_wallets } = await story.ask("jetton/wallets", "limit=100&exclude_zero_balance=true");
      const owners = jetton_wallets.map(({ owner }) => `address=${encodeURIComponent(owner)}`);
      const { wallets } = await story.ask("walletStates", owners.join("&"));
      const payers = new Set(
        wallets
          .filter((each) => each.is_wallet && BigInt(each.balance ?? 0) > ton)
          .map(({ address }) => address),
      );
      const paying = jetton_wallets.find(({ owner }) => payers.has(owner))!;
      const stranger = someAddress(0xcd);
      const payload = bocText(
        jettonTransferBody({ to: stranger, amount: 1n, excessesTo: stranger, queryId: 1 }),
      );
      const messages = [{ address: paying.address, amount: String(ton / 5n), payload }];
      const answer = await emulated(story.app, tonConnectPath, {
        from: paying.owner,
        messages,
        ...everything,
      });
      expect(answer.actions).toMatchObject([{ type: "jetton_transfer", success: true }, {}]);
      const [{ receiver_jetton_wallet: created }] = answer.actions.map(
        ({ details }) => details as { receiver_jetton_wallet: string },
      ) as [{ receiver_jetton_wallet: string }];
      expect(answer.metadata![created]).toEqual({
        is_indexed: false,
        token_info: [
          {
            valid: true,
            type: "jetton_wallets",
            extra: { balance: "1", owner: stranger.toRawUpper(), jetton: paying.jetton },
          },
        ],
      });
      expect(Object.keys(answer.metadata!)).toEqual(expect.arrayContaining([paying.address, paying.jetton]));
    });

    it("sends nothing that the wallet cannot pay for", async () => {
      const [, [, sender]] = senders as [unknown, (typeof senders)[number]];
      const messages = [{ address: nobody.toRaw(), amount: "900000000000000" }];
      const answer = await emulated(story.app, tonConnectPath, { from: sender.address.toRaw(), messages });
      const [only, ...others] = transactionsOf(answer);
      expect([only!.description.action?.skipped_actions, others]).toEqual([1, []]);
    });

    it("shows the actions of v1, or of the version that the header names", async () => {
      const [[, sender]] = senders as [(typeof senders)[number]];
      const messages = [{ address: nobody.toRaw(), amount: "1" }];
      const body = { from: sender.address.toRaw(), messages, with_actions: true };
      const types = async (version?: string) => {
        const headers = version === undefined ? {} : { "X-Actions-Version": version };
        const { json } = await story.app.post(tonConnectPath, body, headers);
        return (json as Emulated).actions.map(({ type }) => type);
      };
      expect([await types(), await types("latest")]).toEqual([["ton_transfer"], ["ton_transfer"]]);
    });

    const one = { address: nobody.toRaw(), amount: "1" };
    const asked = (message: object) => ({ from: nobody.toRaw(), messages: [one, message] });
    const invalid = (text: string) => [400, `invalid request: ${text}`] as const;
    const uncomposed = (text: string) => [500, `Failed to compose external message: ${text}`] as const;
    it.each([
      ["no sender", { messages: [one] }, invalid("from address is required for emulation")],
      ["no messages", { from: nobody.toRaw() }, invalid("messages array cannot be empty")],
      ["an empty list", { from: nobody.toRaw(), messages: [] }, invalid("messages array cannot be empty")],
      ["no list", { from: nobody.toRaw(), messages: one }, invalid("messages must be an array")],
      [
        "five messages",
        { from: nobody.toRaw(), messages: [one, one, one, one, one] },
        invalid("messages array cannot contain more than 4 messages"),
      ],
      ["a message without receiver", asked({ amount: "1" }), invalid("message at index 1 cannot be empty")],
      [
        "a message without amount",
        asked({ address: nobody.toRaw() }),
        invalid("amount in message at index 1 cannot be empty"),
      ],
      [
        "an amount that is too large",
        asked({ ...one, amount: "18446744073709551616" }),
        invalid(
          "invalid amount in message at index 1: 18446744073709551616 must be a text of decimal digits, below 2^64",
        ),
      ],
      [
        "a payload that is no base64",
        asked({ ...one, payload: "*" }),
        invalid("invalid message payload at index 1: illegal base64 data at input byte 0"),
      ],
      [
        "a state init that is no base64",
        asked({ ...one, stateInit: "AA" }),
        invalid("invalid message stateInit at index 1: illegal base64 data at input byte 2"),
      ],
      ["an address that is none", { from: "x", messages: [one] }, [500, "Invalid address format: x"]],
      [
        "a receiver that is none",
        asked({ ...one, address: "x" }),
        uncomposed("invalid address in message at index 1: x"),
      ],
      ["an account that is not there", asked(one), [500, "Account state no code or no data"]],
      [
        "a time that is none",
        { ...asked(one), valid_until: -1 },
        invalid("valid_until must be an integer from 0 to 18446744073709551615"),
      ],
    ] as const)("refuses %s", async (_, params, wanted) => {
      expect(await refusal(tonConnectPath, params)).toEqual(wanted);
    });

    it("refuses cells that are none, and accounts that are no wallets it knows", async () => {
      const [[, sender]] = senders as [(typeof senders)[number]];
      const from = sender.address.toRaw();
      const payload = { from, messages: [{ ...one, payload: "AAAA" }] };
      expect(await refusal(tonConnectPath, payload)).toEqual(
        uncomposed("Failed to deserialize payload cell"),
      );
      const stateInit = { from, messages: [{ ...one, stateInit: bocText(commentBody("no init")) }] };
      expect(await refusal(tonConnectPath, stateInit)).toEqual(
        uncomposed("Failed to deserialize state init cell"),
      );
      const elector = { from: `-1:${"3".repeat(64)}`, messages: [one] };
      expect(await refusal(tonConnectPath, elector)).toEqual([500, "Account is not a known wallet"]);
    });
  });
});
