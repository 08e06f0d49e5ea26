import { beforeAll, describe, expect, it } from "vitest";
import type { Devnet } from "../../server/devnet/devnet.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { treasuryOf } from "../../server/devnet/story/scenes/treasury.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { cellRef, Dictionary, uintKey } from "../../shared/ton/cells/dictionaries/dictionary.js";
import type { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { ton } from "../helpers/chain/devnet.js";
import {
  addressAfter,
  multisigCodes,
  orderData,
  walletData,
} from "../helpers/contracts/multisig-contracts.js";
import { describeContracts } from "../helpers/index/describe-contracts.js";
import { idOf, place, someAddress } from "../helpers/index/detection.js";
import { describeStoryReads } from "../helpers/stories/describe-story.js";

const codes = await multisigCodes();
const [alice, bob, cleo, dave] = [0xa1, 0xb0, 0xc1, 0xd0].map(someAddress) as [
  Address,
  Address,
  Address,
  Address,
];
/** Two wallets with orders, and one without. */
const [busy, other, idle] = [0x11, 0x12, 0x13].map(someAddress) as [Address, Address, Address];
const firstOrder = (wallet: Address) => someAddress(wallet.hash[0]! + 0x10);
const orderOf = (wallet: Address, seqno: number) => addressAfter(firstOrder(wallet), seqno);
const raw = (address: Address) => address.toRawUpper();
const boc = (cell: Cell, crc32: boolean) => bytesToBase64(serializeBoc(cell, { crc32 }));

const comment = beginCell().storeUint(0, 32).storeBytes(Buffer.from("wages")).endCell();
const sending = (body: Cell) =>
  beginCell()
    .storeUint(0xf1381e5b, 32)
    .storeUint(1, 8)
    .storeRef(
      beginCell()
        // int_msg_info$0 ihr_disabled bounce bounced src:addr_none
        .storeUint(0b0110_00, 6)
        .storeAddress(dave)
        .storeCoins(5n)
        // No extra currencies, fees of 0, created_lt, created_at, no state init, the body in a reference.
        .storeUint(0, 1 + 4 + 4 + 64 + 32 + 1)
        .storeBit(true)
        .storeRef(body)
        .endCell(),
    )
    .endCell();
const updating = beginCell()
  .storeUint(0x1d0cfbd3, 32)
  .storeUint(1, 8)
  .storeRef(Dictionary.empty(uintKey(8), cellRef).set(0, Cell.empty).root!)
  .storeBit(false)
  .endCell();
const burn = beginCell()
  .storeUint(0x595f07bc, 32)
  .storeUint(2n ** 64n - 1n, 64)
  .storeCoins(9n)
  .storeAddress(cleo);
const actions = Dictionary.empty(uintKey(8), cellRef).update([
  [0, sending(comment)],
  [7, sending(burn.endCell())],
  [200, updating],
]).root!;

async function prepare(devnet: Devnet): Promise<void> {
  const { controls } = devnet;
  const wallets: [Address, object][] = [
    [idle, { signers: [bob], threshold: 2n }],
    [busy, { signers: [bob, alice], proposers: [cleo], seqno: 3n }],
    [other, { signers: [cleo] }],
  ];
  for (const [address, state] of wallets)
    await place(devnet, address, codes.wallet, walletData({ ...state, firstOrder: firstOrder(address) }));
  const orders: [Address, number, object][] = [
    [busy, 1, { isSent: true, mask: 3n, approvals: 2n, signers: [bob, alice], actions }],
    [busy, 0, { expiration: 1_700_000_000n }],
    [other, 5, {}],
    [busy, 2, {}],
  ];
  for (const [multisig, seqno, state] of orders)
    await place(
      devnet,
      orderOf(multisig, seqno),
      codes.order,
      orderData({ multisig, seqno: BigInt(seqno), ...state }),
    );
  // Each gets its first transaction in this order, and one a second.
  const all = [
    ...wallets.map(([address]) => address),
    ...orders.map(([wallet, seqno]) => orderOf(wallet, seqno)),
  ];
  for (const address of [...all, orderOf(busy, 1)]) await controls.faucet(idOf(address), ton);
  await controls.mine(1);
}

describeContracts((index) => {
  beforeAll(async () => {
    await prepare(index.devnet);
    await index.catchUp();
  });

  const wallets = async (query: string) => (await index.ask("multisig/wallets", query)).multisigs;
  const orders = async (query: string) => (await index.ask("multisig/orders", query)).orders;
  const lists = (name: string, addresses: readonly Address[]) =>
    addresses.map((address) => `${name}=${address}`).join("&");
  const stateOf = async (address: Address) => {
    const { accounts } = await index.ask("accountStates", `address=${address}`);
    const { code_hash, data_hash, last_transaction_lt } = accounts[0]!;
    return { code_hash, data_hash, last_transaction_lt };
  };

  describe("v3.multisig.wallets", () => {
    it("lists wallets as their contracts describe them, with their orders as they appeared", async () => {
      const [wallet] = await wallets(`address=${busy}`);
      expect(wallet).toEqual({
        address: raw(busy),
        next_order_seqno: "3",
        threshold: 1,
        signers: [raw(bob), raw(alice)],
        proposers: [raw(cleo)],
        ...(await stateOf(busy)),
        orders: [
          ...(await orders(`address=${orderOf(busy, 1)}`)),
          ...(await orders(`address=${orderOf(busy, 0)}`)),
          ...(await orders(`address=${orderOf(busy, 2)}`)),
        ],
      });
      expect(wallet!.orders.map(({ order_seqno }) => order_seqno)).toEqual(["1", "0", "2"]);
    });

    it("has no orders where there are none, or where they are not asked for", async () => {
      const all = lists("address", [busy, other, idle]);
      const withOrders = await wallets(all);
      expect(withOrders.map((wallet) => wallet.orders.length)).toEqual([1, 3, 0]);
      const without = withOrders.map((wallet) => ({ ...wallet, orders: [] }));
      expect(await wallets(`${all}&include_orders=false`)).toEqual(without);
    });

    it("explains every address in the answer", async () => {
      const { address_book } = await index.ask("multisig/wallets", `address=${busy}`);
      const shown = [busy, alice, bob, cleo, ...[0, 1, 2].map((seqno) => orderOf(busy, seqno))];
      expect(Object.keys(address_book)).toEqual(shown.map(raw).sort());
      const bare = await index.ask("multisig/wallets", `address=${busy}&include_orders=false`);
      expect(Object.keys(bare.address_book)).toEqual([busy, alice, bob, cleo].map(raw).sort());
    });

    it("refuses to list all wallets", async () => {
      const missing = "At least one of address or wallet_address should be specified";
      expect(await index.refusal("multisig/wallets")).toEqual([422, missing]);
      expect(await index.refusal("multisig/wallets?address=")).toEqual([422, missing]);
      expect(await index.call("v3.multisig.wallets", {})).toMatchObject({
        error: { code: -32602, message: missing },
      });
      expect((await index.refusal("multisig/wallets?wallet_address=x"))[0]).toBe(422);
    });
  });

  describe("v3.multisig.orders", () => {
    const all = lists("multisig_address", [busy, other, idle]);

    it("lists orders as their contracts describe them", async () => {
      const [order] = await orders(`address=${orderOf(busy, 1)}`);
      expect(order).toEqual({
        address: raw(orderOf(busy, 1)),
        multisig_address: raw(busy),
        order_seqno: "1",
        threshold: 2,
        sent_for_execution: true,
        approvals_mask: "3",
        approvals_num: 2,
        expiration_date: 1_800_000_000,
        order_boc: boc(actions, false),
        signers: [raw(bob), raw(alice)],
        ...(await stateOf(orderOf(busy, 1))),
        actions: null,
      });
    });

    it("parses the actions on request, each separately", async () => {
      const [order] = await orders(`address=${orderOf(busy, 1)}&parse_actions=true`);
      const [plain] = await orders(`address=${orderOf(busy, 1)}`);
      const sent = { destination: raw(dave), value: "5", parsed: true, error: null, send_mode: 1 };
      expect(order).toEqual({
        ...plain,
        actions: [
          {
            ...sent,
            body_raw: boc(comment, true),
            parsed_body: { comment: "wages", encrypted: false },
            parsed_body_type: "ton_transfer",
          },
          {
            ...sent,
            body_raw: boc(burn.endCell(), true),
            parsed_body: {
              query_id: Number(2n ** 64n - 1n),
              amount: "9",
              response_destination: raw(cleo),
            },
            parsed_body_type: "jetton_burn",
          },
          {
            destination: null,
            value: null,
            body_raw: null,
            parsed: false,
            error: "failed to parse order action: failed to load order action from cell",
            parsed_body: null,
            parsed_body_type: "unknown",
            send_mode: 0,
          },
        ],
      });
      const { text } = await index.app.ask(
        `/api/v3/multisig/orders?address=${orderOf(busy, 1)}&parse_actions=1`,
      );
      expect(text).toContain(`"query_id":${2n ** 64n - 1n}`);
    });

    it("has null in place of actions that are no dictionary", async () => {
      const parsed = await orders(`${all}&parse_actions=true`);
      expect(parsed.map((order) => order.actions?.length ?? null)).toEqual([3, null, null, null]);
    });

    it("explains every address in the answer, those in parsed actions too", async () => {
      const bookOf = async (query: string) => {
        const { address_book } = await index.ask("multisig/orders", `address=${orderOf(busy, 1)}${query}`);
        return Object.keys(address_book);
      };
      const own = [orderOf(busy, 1), busy, alice, bob];
      expect(await bookOf("")).toEqual(own.map(raw).sort());
      expect(await bookOf("&parse_actions=true")).toEqual([...own, dave, cleo].map(raw).sort());
    });

    it("refuses to list all orders", async () => {
      const missing = "At least one of address or multisig_address should be specified";
      expect(await index.refusal("multisig/orders")).toEqual([422, missing]);
      expect(await index.refusal("multisig/orders?parse_actions=true")).toEqual([422, missing]);
      expect(await index.call("v3.multisig.orders", {})).toMatchObject({
        error: { code: -32602, message: missing },
      });
    });
  });
});

const participants = participantsOf("tonwire", await devnetWallets("tonwire"));
const treasury = treasuryOf(participants);

describeStoryReads((story) => {
  describe("v3.multisig.wallets and v3.multisig.orders of the story", () => {
    it("are the treasury with an order that was executed and one that lacks an approval", async () => {
      const { ann, ben, cleo: third, dan, gus, hana } = participants;
      const { multisigs } = await story.ask("multisig/wallets", `wallet_address=${dan.address}`);
      expect(multisigs).toMatchObject([
        {
          address: raw(treasury.address),
          next_order_seqno: "2",
          threshold: 2,
          signers: [ann, ben, third].map(({ address }) => raw(address)),
          proposers: [raw(dan.address)],
          orders: [
            {
              address: raw(treasury.order(0n)),
              sent_for_execution: true,
              approvals_num: 2,
              approvals_mask: "3",
            },
            {
              address: raw(treasury.order(1n)),
              sent_for_execution: false,
              approvals_num: 1,
              approvals_mask: "4",
            },
          ],
        },
      ]);
      const { orders } = await story.ask(
        "multisig/orders",
        `multisig_address=${treasury.address}&parse_actions=true&sort=asc`,
      );
      const paid = orders.map(({ actions: list }) =>
        list?.map((each) => [each.destination, each.parsed_body]),
      );
      const toGus = [raw(gus.address), { comment: "From the treasury", encrypted: false }];
      const toHana = [raw(hana.address), { comment: "If two agree", encrypted: false }];
      expect(paid).toEqual([[toGus], [toGus, toHana]]);
    });
  });
});
