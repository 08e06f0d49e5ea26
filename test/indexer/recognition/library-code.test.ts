import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Devnet } from "../../../server/devnet/devnet.js";
import type { Detection } from "../../../server/indexer/recognition/detection.js";
import type { Database } from "../../../server/store/database.js";
import { listJettonMasters } from "../../../server/store/queries/tokens/jettons.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { libraryCell, publishingCode } from "../../helpers/chain/library-cell.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { idOf, openDetectedDevnet, place, someAddress } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";

const master = someAddress(5);
const publisher = new Address(-1, new Uint8Array(32).fill(6));

const code = await compile(`
  get fun get_jetton_data(): (int, int, slice, cell, cell) {
    return (5, -1, beginCell().storeUint(0, 2).endCell().beginParse(),
      beginCell().storeUint(0x0161, 16).endCell(), createEmptyCell());
  }`);

async function publish(devnet: Devnet): Promise<void> {
  await place(devnet, publisher, publishingCode(code));
  await devnet.controls.setBalance(idOf(publisher), 1000n * ton);
  await devnet.controls.impersonate({ from: idOf(someAddress(7)), to: idOf(publisher), value: ton });
  await devnet.controls.mine(2);
}

describeDatabase("A contract whose code is a library cell", (fresh) => {
  test("is recognised by the code that it stands for, whose methods count as its own", async () => {
    const devnet = await openDetectedDevnet();
    const database = await fresh();
    await publish(devnet);
    await place(devnet, master, libraryCell(code));
    expect(await mastersIn(database, devnet)).toEqual([master.toRawUpper()]);
    const [stored] = await database.sql().query<{ methods: number[] }>(SQL`
      select methods from contract_methods where code_hash = ${libraryCell(code).hash()}`);
    expect(stored?.methods).toContain(methodId("get_jetton_data"));
  });

  test("is none until that is published, and recognised at its next change", async () => {
    const devnet = await openDetectedDevnet();
    const database = await fresh();
    await place(devnet, master, libraryCell(code));
    expect(await mastersIn(database, devnet)).toEqual([]);
    await publish(devnet);
    expect(await mastersIn(database, devnet)).toEqual([]);
    await devnet.controls.setBalance(idOf(master), 2n * ton);
    expect(await mastersIn(database, devnet)).toEqual([master.toRawUpper()]);
  });
});

async function mastersIn(
  database: Database,
  { api, events, detection }: Devnet & { detection: Detection },
): Promise<string[]> {
  await indexAll(database, api, { events, detection });
  const found = await listJettonMasters(database.sql(), {}, { limit: 10, offset: 0 });
  return found.map(({ address }) => address);
}
