import { expect, test } from "vitest";
import type { Devnet } from "../../server/devnet/devnet.js";
import { jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import type { Database } from "../../server/store/database.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import type { Address } from "../../shared/values/address.js";
import { addressForms } from "../helpers/chain/address-forms.js";
import { ton } from "../helpers/chain/devnet.js";
import { detectedDevnetOfFile, idOf } from "../helpers/index/detection.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { describeDatabase } from "../helpers/store/describe-databases.js";
import { dumpTables } from "../helpers/store/tables.js";
import { storyIndex } from "../helpers/stories/story-index.js";

const participants = participantsOf(publishedSeed, await devnetWallets(publishedSeed));
const { ann, cleo } = participants;
const { acorn } = jettonsOf(participants);
const wallet = acorn.walletOf(cleo.address);

type Event = {
  tx_aborted: boolean;
  amount: number;
  destination: string;
  response_destination: string | null;
};

async function dump(database: Database): Promise<Record<string, Event[]>> {
  const tables = await dumpTables(database, [
    "jetton_transfers",
    "jetton_burns",
    "nft_transfers",
    "token_slots",
  ]);
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => JSON.parse(row) as Event)]),
  );
}

const storyDevnet = detectedDevnetOfFile("story");

const asks = ({ controls }: Pick<Devnet, "controls">, from: Address, to: Address, body: Cell) =>
  controls.impersonate({ from: idOf(from), to: idOf(to), value: ton, body: serializeBoc(body) });

const transferBody = (queryId: number) =>
  jettonTransferBody({ to: ann.address, amount: 5n, excessesTo: cleo.address, queryId });

describeDatabase("Token events", (fresh) => {
  test("are made of requests that fail, but not of bodies that end too early or name no receiver", async () => {
    const devnet = await storyDevnet();
    const { detection, events } = devnet;
    const database = await fresh(storyIndex);
    const catchUp = () => indexAll(database, devnet.api, { events, detection });
    const known = new Set((await dump(database))["jetton_transfers"]!.map((row) => JSON.stringify(row)));
    const newest = async () => {
      await catchUp();
      return (await dump(database))["jetton_transfers"]!.filter((row) => !known.has(JSON.stringify(row)));
    };
    const head = () => beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 64);
    const to = (store: (builder: Builder) => Builder, excessesTo = store) =>
      excessesTo(store(head().storeCoins(5n)))
        .storeMaybeRef(undefined)
        .storeCoins(0n);
    const forms = addressForms(ann.address);
    const { addr_std, addr_none, addr_var, addr_extern } = forms;
    const anycast = forms["addr_std with anycast"]!;

    for (const body of [
      head().endCell(),
      head().storeCoins(5n).storeAddress(ann.address).endCell(),
      to(addr_std!.store).endCell(),
      to(addr_extern!.store, addr_std!.store).storeBit(false).endCell(),
      to(addr_var!.store, addr_std!.store).storeBit(false).endCell(),
    ])
      await asks(devnet, cleo.address, wallet, body);
    // Nor of requests to other contracts, and of bounced ones.
    await asks(devnet, cleo.address, ann.address, transferBody(1));
    expect(await newest()).toEqual([]);

    const bytea = ({ workchain, hash }: Address) =>
      `\\x${Buffer.from([workchain & 0xff, ...hash]).toString("hex")}`;
    // Ann does not own the wallet.
    await asks(devnet, ann.address, wallet, transferBody(1));
    await asks(
      devnet,
      cleo.address,
      wallet,
      to(addr_std!.store, addr_extern!.store).storeBit(false).endCell(),
    );
    await asks(devnet, cleo.address, wallet, to(addr_std!.store, addr_none!.store).storeBit(false).endCell());
    await asks(devnet, cleo.address, wallet, to(anycast.store, addr_var!.store).storeBit(false).endCell());
    const found = await newest();
    expect(
      found.map(({ tx_aborted, destination, response_destination }) => [
        tx_aborted,
        destination,
        response_destination,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [true, bytea(ann.address), bytea(cleo.address)],
        [expect.any(Boolean), bytea(ann.address), null],
        [expect.any(Boolean), bytea(ann.address), null],
        [expect.any(Boolean), bytea(anycast.account as Address), null],
      ]),
    );
    expect(found).toHaveLength(4);
  });
});
