import { expect, test } from "vitest";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import type { Database } from "../../../server/store/database.js";
import { listMultisigOrders } from "../../../server/store/queries/accounts/multisig.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import {
  addressAfter,
  emptyOrderData,
  multisigCodes,
  orderData,
  walletData,
} from "../../helpers/contracts/multisig-contracts.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { detectedDevnetOfFile, idOf, place, someAddress } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { dumpTables } from "../../helpers/store/tables.js";

const emptyDevnet = detectedDevnetOfFile("empty");

const codes = await multisigCodes();
const [wallet, firstOrder, alice, bob] = [0x10, 0x20, 0xa1, 0xb0].map(someAddress) as [
  Address,
  Address,
  Address,
  Address,
];
const order = addressAfter(firstOrder, 7);
const link = { multisig: wallet, seqno: 7n };

type Row = Record<string, unknown>;

/** Stored rows, without those of destroyed contracts. */
async function rowsOf(database: Database, name: string): Promise<Row[]> {
  const { [name]: rows } = await dumpTables(database, [name]);
  return rows!.map((text): Row => JSON.parse(text)).filter((row) => row["destroyed"] === false);
}

const bytea = ({ workchain, hash }: Address) =>
  `\\x${Buffer.from([workchain & 0xff, ...hash]).toString("hex")}`;

describeDatabase("Recognised multisig wallets and orders", (fresh) => {
  test("have the data of their contracts", async () => {
    const devnet = await emptyDevnet();
    const { detection, events } = devnet;
    const database = await fresh();
    const state = {
      seqno: 2n ** 255n,
      threshold: 2n,
      signers: [bob, alice],
      proposers: [wallet],
      firstOrder,
    };
    await place(devnet, wallet, codes.wallet, walletData(state));
    const actions = beginCell().storeUint(5, 8).storeRef(Cell.empty).endCell();
    const approved = { mask: 2n ** 255n, approvals: 1n, isSent: true, signers: [alice, bob], actions };
    await place(devnet, order, codes.order, orderData({ ...link, ...approved }));
    await indexAll(database, devnet.api, { events, detection });
    expect(await rowsOf(database, "multisigs")).toMatchObject([
      {
        address: bytea(wallet),
        // JSON.parse loses the digits that row_to_json has.
        next_order_seqno: Number(2n ** 255n),
        threshold: 2,
        signers: [bytea(bob), bytea(alice)],
        proposers: [bytea(wallet)],
      },
    ]);
    expect(await rowsOf(database, "multisig_orders")).toMatchObject([
      {
        address: bytea(order),
        multisig_address: bytea(wallet),
        order_seqno: 7,
        threshold: 2,
        sent_for_execution: true,
        signers: [bytea(alice), bytea(bob)],
        approvals_mask: Number(2n ** 255n),
        approvals_num: 1,
        expiration_date: 1_800_000_000,
        order_boc: `\\x${Buffer.from(serializeBoc(actions, { crc32: false })).toString("hex")}`,
      },
    ]);
  });

  test("follow an order from its deployment to its end", async () => {
    const devnet = await emptyDevnet();
    const { detection, controls, events } = devnet;
    const database = await fresh();
    const init = encode(StateInit, stateInitOf(codes.order, emptyOrderData(link)));
    const deployed = new Address(0, init.hash());
    await place(devnet, wallet, codes.wallet, walletData({ firstOrder: addressAfter(deployed, -7) }));
    const send = (extra: { body?: Uint8Array; stateInit?: Uint8Array }) =>
      controls.impersonate({ from: idOf(alice), to: idOf(deployed), value: ton, ...extra });
    const states = async () => {
      await controls.mine(2);
      await indexAll(database, devnet.api, { events, detection });
      const filter = { multisigs: [addressToBytes(wallet)] };
      const orders = await listMultisigOrders(database.sql(), filter, { limit: 10, offset: 0, sort: "asc" });
      return orders.map(({ address, sent_for_execution }) => [address, sent_for_execution]);
    };
    const change = (data: Cell) => controls.setData(idOf(deployed), serializeBoc(data));

    await send({ stateInit: serializeBoc(init) });
    expect(await states()).toEqual([]);
    await change(orderData(link));
    expect(await states()).toEqual([[deployed.toRawUpper(), false]]);
    await change(orderData({ ...link, isSent: true }));
    expect(await states()).toEqual([[deployed.toRawUpper(), true]]);
    await send({ body: serializeBoc(beginCell().storeUint(1, 32).endCell()) });
    expect(await states()).toEqual([]);
  });

  test("have signers with their anycast prefix applied", async () => {
    const devnet = await emptyDevnet();
    const { detection, events } = devnet;
    const database = await fresh();
    const anycast = `beginCell().storeUint(0b101, 3).storeUint(8, 5).storeUint(0xcd, 8).storeInt(0, 8)
      .storeUint(0, 256).storeUint(3, 2).endCell()`;
    // `hml_long$10 n:(## 4) s:(n * Bit)` of one entry with key 0.
    const list = `beginCell().storeUint(0x2800, 14).storeSlice(${anycast}.beginParse()).endCell()`;
    const code = await compile(
      `get fun get_multisig_data(): (int, int, cell?, cell?) { return (-1, 1, ${list}, null); }`,
    );
    await place(devnet, wallet, code);
    await indexAll(database, devnet.api, { events, detection });
    const signer = new Address(0, new Uint8Array(32).fill(0xcd, 0, 1));
    expect(await rowsOf(database, "multisigs")).toMatchObject([{ signers: [bytea(signer)], proposers: [] }]);
  });
});
