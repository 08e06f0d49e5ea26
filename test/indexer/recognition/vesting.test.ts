import { expect, test } from "vitest";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import type { Database } from "../../../server/store/database.js";
import { listVestings } from "../../../server/store/queries/accounts/vesting.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Address } from "../../../shared/values/address.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { vestingData } from "../../helpers/contracts/vesting-contract.js";
import { detectedDevnetOfFile, idOf, place, someAddress } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";

const emptyDevnet = detectedDevnetOfFile("empty");

const code = contractCode("vesting wallet");
const [vesting, sender, owner, other] = [0x10, 0x51, 0x52, 0x53].map(someAddress) as [
  Address,
  Address,
  Address,
  Address,
];
const elector = new Address(-1, new Uint8Array(32).fill(0x33));
const raw = (...addresses: Address[]) => addresses.map((address) => address.toRawUpper());

const vestingsOf = (database: Database) =>
  listVestings(database.sql(), { withWhitelist: false }, { limit: 1000, offset: 0 });

describeDatabase("Recognised vesting wallets", (fresh) => {
  test("have the data of their contracts, and a whitelist that is replaced", async () => {
    const devnet = await emptyDevnet();
    const { detection, controls, events } = devnet;
    const database = await fresh();
    const whitelist = [elector, other, owner];
    await place(devnet, vesting, code, vestingData({ sender, owner, whitelist }));
    await indexAll(database, devnet.api, { events, detection });
    const expected = {
      address: vesting.toRawUpper(),
      start_time: 1_700_000_000,
      total_duration: 31_104_000,
      unlock_period: 2_592_000,
      cliff_duration: 5_184_000,
      sender_address: sender.toRawUpper(),
      owner_address: owner.toRawUpper(),
      total_amount: String(10n ** 18n),
      // Workchain 0 is before -1 in an unsigned key.
      whitelist: raw(owner, other, elector),
    };
    expect(await vestingsOf(database)).toEqual([expected]);
    await controls.setData(idOf(vesting), serializeBoc(vestingData({ sender, owner })));
    await indexAll(database, devnet.api, { events, detection });
    expect(await vestingsOf(database)).toEqual([{ ...expected, whitelist: [] }]);
  });

  test("are none with another code, another answer, or a whitelist without end", async () => {
    const devnet = await emptyDevnet();
    const { detection, events } = devnet;
    const database = await fresh();
    const answering = await compile(`
      get fun get_vesting_data(): (int, int, int, int, int, address, address, cell?) {
        return (1, 2, 3, 4, 5, address("${sender}"), address("${owner}"), null);
      }`);
    await place(devnet, someAddress(0x11), answering);
    await place(devnet, someAddress(0x12), code, vestingData({ sender, owner }, Cell.empty));
    await place(devnet, someAddress(0x13), code, vestingData({ sender, owner }, endless(264)));
    const many = Array.from({ length: 257 }, (_, index) => new Address(0, numbered(index)));
    await place(devnet, someAddress(0x14), code, vestingData({ sender, owner, whitelist: many }));
    const most = many.slice(1);
    await place(devnet, someAddress(0x15), code, vestingData({ sender, owner, whitelist: most }));
    await place(devnet, someAddress(0x16), code, beginCell().storeUint(0, 321).endCell());
    await place(devnet, someAddress(0x17), code, vestingData({ sender, owner, startTime: 2n ** 63n }));
    await indexAll(database, devnet.api, { events, detection });
    expect((await vestingsOf(database)).map(({ address, whitelist }) => [address, whitelist])).toEqual([
      [someAddress(0x15).toRawUpper(), raw(...most)],
    ]);
  });
});

/** A dictionary whose forks all lead to the same cells: 2^bits entries. */
function endless(bits: number): Cell {
  let node = beginCell().storeUint(0, 2).endCell();
  for (let bit = 0; bit < bits; bit++)
    node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
  return node;
}

function numbered(value: number): Uint8Array {
  const hash = new Uint8Array(32);
  new DataView(hash.buffer).setUint32(28, value);
  return hash;
}
