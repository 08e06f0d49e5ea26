import { expect, onTestFinished, test } from "vitest";
import { jettonBurnBody, jettonTransferBody } from "../../../server/devnet/story/contracts/jetton.js";
import { participantsOf } from "../../../server/devnet/story/participants.js";
import { jettonsOf } from "../../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import type { Database } from "../../../server/store/database.js";
import { listJettonMasters, listJettonWallets } from "../../../server/store/queries/tokens/jettons.js";
import { listNftItems } from "../../../server/store/queries/tokens/nfts.js";
import { contractTables } from "../../../server/store/tables/all-tables.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { classifier } from "../../helpers/index/classifier.js";
import { detectedDevnetOfFile, idOf, place, someAddress } from "../../helpers/index/detection.js";
import { follow, indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabase, describeDatabases } from "../../helpers/store/describe-databases.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { storyIndex } from "../../helpers/stories/story-index.js";

const participants = participantsOf(publishedSeed, await devnetWallets(publishedSeed));
const { ann, cleo } = participants;
const { acorn } = jettonsOf(participants);
const tableNames = contractTables.map(({ name }) => name);
const page = { limit: 1000, offset: 0 } as const;

const dump = (database: Database) => dumpTables(database, tableNames);
/** The rows that a revert takes back: contracts, token events, and actions with their traces. */
const dumpAll = (database: Database) =>
  dumpTables(database, [
    ...tableNames,
    ...["jetton_transfers", "jetton_burns", "nft_transfers", "token_slots"],
    ...["traces", "actions", "action_accounts", "action_locator"],
  ]);
const storyDevnet = detectedDevnetOfFile("story");
const emptyDevnet = detectedDevnetOfFile("empty");

const walletsOf = async (database: Database) => {
  const filter = { withBalance: false };
  const wallets = await listJettonWallets(database.sql(), filter, { ...page, sort: "desc" });
  return wallets.map(({ address }) => address);
};

/** A jetton master that answers so. */
const master = (answers: string) => `
  get fun get_jetton_data(): ${answers}
  fun content(): cell { return beginCell().storeUint(0x0161, 16).endCell(); }
  fun none(): slice { return beginCell().storeUint(0, 2).endCell().beginParse(); }
`;
const goodMaster = master(
  "(int, int, slice, cell, cell) { return (5, -1, none(), content(), createEmptyCell()); }",
);

/** A jetton master that is destroyed on request. */
async function shortLived(): Promise<Cell> {
  const code = await compile(`${goodMaster}
    fun onInternalMessage(in: InMessage) {
      if (in.body.isEmpty()) { return; }
      createMessage({ bounce: false, value: 0, dest: in.senderAddress })
        .send(SEND_MODE_CARRY_ALL_BALANCE | SEND_MODE_DESTROY);
    }`);
  return encode(StateInit, stateInitOf(code, Cell.empty));
}

const destroy = { body: serializeBoc(beginCell().storeUint(1, 32).endCell()) };

describeDatabase("Recognised contracts", (fresh) => {
  test("are taken back with their blocks, as token events and actions are", async () => {
    const devnet = await storyDevnet();
    const { detection, controls, events } = devnet;
    const database = await fresh(storyIndex);
    const setting = { events, mayRevert: true, detection, classifier };
    const { follower, reaches } = follow(database, devnet.api, setting);
    onTestFinished(() => follower.close());
    await controls.faucet(idOf(someAddress(9)), ton);
    const snapshot = await controls.snapshot();
    const ask = (to: Address, body: Cell) =>
      controls.impersonate({
        from: idOf(cleo.address),
        to: idOf(to),
        value: ton,
        body: serializeBoc(body),
      });
    const mint = (to: Address) =>
      ask(acorn.address, acorn.mintBody({ to, amount: 77n, tons: ton / 5n, queryId: 1 }));
    const wallet = acorn.walletOf(cleo.address);
    const transfer = (queryId: number) =>
      ask(wallet, jettonTransferBody({ to: ann.address, amount: 5n, excessesTo: cleo.address, queryId }));
    await mint(someAddress(1));
    await mint(ann.address);
    await transfer(1);
    await ask(wallet, jettonBurnBody(3n, cleo.address, 2));
    const { block } = await controls.mine(3);
    await reaches(block.seqno);
    expect(await walletsOf(database)).toContain(acorn.walletOf(someAddress(1)).toRawUpper());
    await controls.revert(snapshot.id);
    await mint(someAddress(2));
    await transfer(3);
    const after = await controls.mine(6);
    await reaches(after.block.seqno);
    await follower.close();
    const wallets = await walletsOf(database);
    expect(wallets).not.toContain(acorn.walletOf(someAddress(1)).toRawUpper());
    expect(wallets).toContain(acorn.walletOf(someAddress(2)).toRawUpper());
    const reverted = await dumpAll(database);
    for (const table of ["jetton_transfers", "actions"]) expect(reverted[table]).not.toEqual([]);
    const clean = await fresh(storyIndex);
    await indexAll(clean, devnet.api, { events, detection, classifier });
    expect(reverted).toEqual(await dumpAll(clean));
  });

  test("are known although they were destroyed, or became others, in the batch of blocks that made them", async () => {
    const devnet = await emptyDevnet();
    const { detection, controls, events } = devnet;
    const init = await shortLived();
    const address = new Address(0, init.hash());
    for (const extra of [{ stateInit: serializeBoc(init) }, destroy]) {
      await controls.impersonate({ from: idOf(ann.address), to: idOf(address), value: ton, ...extra });
      await controls.mine(2);
    }
    await place(devnet, someAddress(5), await compile(goodMaster));
    await controls.mine(1);
    await place(devnet, someAddress(5), await compile("fun onInternalMessage(in: InMessage) {}"));
    const oneByOne = await fresh();
    await indexAll(oneByOne, devnet.api, { events, detection, limits: { blocks: 1, rows: 1 } });
    const expected = await dump(oneByOne);
    expect(expected["jetton_masters"]).toHaveLength(2);
    const atOnce = await fresh();
    await indexAll(atOnce, devnet.api, { events, detection });
    expect(await dump(atOnce)).toEqual(expected);
  });

  test("name the seller of an item for any order of recognising item and sale", async () => {
    const devnet = await emptyDevnet();
    const { detection, controls, events } = devnet;
    const database = await fresh();
    const [item, sale] = [someAddress(5), someAddress(6)];
    const nothing = "beginCell().storeUint(0, 2).endCell().beginParse()";
    const itemCode = await compile(`get fun get_nft_data(): (int, int, slice, address, cell) {
        return (-1, 7, ${nothing}, address("${sale}"), beginCell().storeUint(0x0161, 16).endCell());
      }`);
    const anybody = `address("${someAddress(9)}")`;
    const saleCode = await compile(`
      get fun get_sale_data(): (int, int, int, address, address, address, int, address, int, address, int) {
        return (0x46495850, 0, 1700000000, ${anybody}, address("${item}"), address("${ann.address}"), 5,
          ${anybody}, 1, ${anybody}, 1);
      }`);
    const filter = { owners: [addressToBytes(ann.address)], withSales: true };
    const sold = async () => {
      await indexAll(database, devnet.api, { events, detection });
      const [found] = await listNftItems(database.sql(), filter, { ...page, sort: "desc" });
      return (
        found && { real_owner: found.real_owner, sale: found.sale_contract_address, on_sale: found.on_sale }
      );
    };
    const expected = { real_owner: ann.address.toRawUpper(), sale: sale.toRawUpper(), on_sale: true };
    await place(devnet, item, itemCode);
    expect(await sold()).toBe(undefined);
    await place(devnet, sale, saleCode);
    expect(await sold()).toEqual(expected);
    // In the other order: the item has the same row after it was edited.
    await controls.setBalance(idOf(item), 2n * ton);
    expect(await sold()).toEqual(expected);
  });

  test("may be of several kinds at once", async () => {
    const devnet = await emptyDevnet();
    const { detection, events } = devnet;
    const database = await fresh();
    const anybody = `address("${someAddress(9)}")`;
    const both = await compile(`${goodMaster}
      get fun get_collection_data(): (int, cell, address) { return (-1, content(), ${anybody}); }
      get fun get_sale_data(): (int, int, int, address, address, address, int, address, int, address, int) {
        return (0x46495850, 0, 1, ${anybody}, ${anybody}, ${anybody}, 5, ${anybody}, 1, ${anybody}, 1);
      }
      get fun get_fix_price_data_v4():
        (int, int, address, address, address, int, address, int, address, int, int, int, cell?) {
        return (0, 2, ${anybody}, ${anybody}, ${anybody}, 5, ${anybody}, 1, ${anybody}, 1, 0, 0, null);
      }`);
    await place(devnet, someAddress(5), both);
    await indexAll(database, devnet.api, { events, detection });
    const rows = (await dump(database)) as Record<string, unknown[]>;
    const counts = Object.entries(rows).map(([name, { length }]) => [name, length]);
    expect(Object.fromEntries(counts)).toMatchObject({ jetton_masters: 1, nft_collections: 1, nft_sales: 1 });
  });

  test("are no wallets without the consent of their jetton", async () => {
    const devnet = await storyDevnet();
    const { detection, events } = devnet;
    const database = await fresh(storyIndex);
    const claim = (jetton: Address) => `get fun get_wallet_data(): (int, address, address, cell) {
        return (1000000, address("${ann.address}"), address("${jetton}"), createEmptyCell());
      }`;
    await place(devnet, someAddress(5), await compile(claim(acorn.address)));
    await place(devnet, someAddress(6), await compile(claim(someAddress(0x77))));
    await indexAll(database, devnet.api, { events, detection });
    const wallets = await walletsOf(database);
    expect(wallets.length).toBeGreaterThan(4);
    expect(wallets).not.toContain(someAddress(5).toRawUpper());
    expect(wallets).not.toContain(someAddress(6).toRawUpper());
  });
});

describeDatabases("What recognised contracts answer", (fresh) => {
  test("has negative amounts, and names without the character that PostgreSQL lacks", async () => {
    const devnet = await emptyDevnet();
    const { detection, events } = devnet;
    const database = await fresh();
    const named = master(`(int, int, slice, cell, cell) {
      return (-5, 0, none(), beginCell().storeUint(0x01610062, 32).endCell(), content());
    }`);
    await place(devnet, someAddress(5), await compile(named));
    await indexAll(database, devnet.api, { events, detection });
    const [only] = await listJettonMasters(database.sql(), {}, page);
    expect(only).toMatchObject({ total_supply: "-5", mintable: false, jetton_content: { uri: "ab" } });
  });
});
