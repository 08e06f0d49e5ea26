import { expect, test } from "vitest";
import type { Cell } from "../../../server/cells/cell.js";
import { RunBudget } from "../../../server/indexer/detect/run-budget.js";
import { listJettonMasters } from "../../../server/store/queries/jettons.js";
import { describeDatabase } from "../../helpers/describe-databases.js";
import { openDetectedDevnet, place, someAddress } from "../../helpers/detection.js";
import { indexAll } from "../../helpers/index-chain.js";
import { compile } from "../../helpers/tolk.js";

/** The stack is right, but only after the gas is gone. */
const hostile = `
  fun burn(): int { var i = 0; while (i >= 0) { i += 1; } return i; }
  get fun get_jetton_data(): int { return burn(); }
  get fun get_wallet_data(): int { return burn(); }
  get fun get_nft_data(): int { return burn(); }
  get fun get_collection_data(): int { return burn(); }
  get fun get_sale_data(): int { return burn(); }`;
const burners = 12;
const honest = `
  get fun get_jetton_data(): (int, int, slice, cell, cell) {
    return (5, -1, beginCell().storeUint(0, 2).endCell().beginParse(), beginCell().storeUint(0x0161, 16).endCell(),
      createEmptyCell());
  }`;

describeDatabase("Contracts that burn the gas of their get-methods", (fresh) => {
  test("are run a few times for all of them, and others are recognised beside them", async () => {
    let burnt = 0;
    const bad = await compile(hostile);
    const onRun = (code: Cell | undefined) => {
      if (code?.hashHex() === bad.hashHex()) burnt++;
    };
    const devnet = await openDetectedDevnet({ onRun });
    const { events, detection } = devnet;
    for (let i = 0; i < burners; i++) await place(devnet, someAddress(0x40 + i), bad);
    await place(devnet, someAddress(5), await compile(honest));
    const database = await fresh();
    await indexAll(database, devnet.api, { events, detection, limits: { blocks: 1000, rows: 100_000 } });
    // Two, and those that were under way when the second one ended.
    expect(burnt).toBeGreaterThanOrEqual(2);
    expect(burnt).toBeLessThan(20);
    const masters = await listJettonMasters(database.sql(), {}, { limit: 10, offset: 0 });
    expect(masters.map(({ address }) => address)).toEqual([someAddress(5).toRawUpper()]);
  });
});

const million = 1_000_000;

test("A budget leaves costly code out of twice as many batches each time", () => {
  const budget = new RunBudget();
  const burn = () => {
    const batch = budget.begin();
    expect(batch.mayRun("costly")).toBe(true);
    batch.ran("costly", million);
    expect(batch.mayRun("costly")).toBe(true);
    batch.ran("costly", Number.POSITIVE_INFINITY);
    expect(batch.mayRun("costly")).toBe(false);
  };
  for (const pause of [1, 2, 4, 8]) {
    burn();
    for (let i = 0; i < pause; i++) expect(budget.begin().mayRun("costly")).toBe(false);
  }
  burn();
});

test("A budget bounds the costly runs of a batch, but not those of code that was cheap most of the time", () => {
  const budget = new RunBudget();
  const batch = budget.begin();
  for (let i = 0; i < 40; i++) batch.ran("proven", 1000);
  for (let i = 0; i < 2; i++) batch.ran("proven", million);
  for (let i = 2; i < 50; i++) {
    expect(batch.mayRun(`code ${i}`)).toBe(true);
    batch.ran(`code ${i}`, million);
  }
  expect(batch.mayRun("another code")).toBe(false);
  expect(batch.mayRun("proven")).toBe(true);
  batch.ran("proven", million);
  expect(batch.mayRun("proven")).toBe(false);
  expect(budget.begin().mayRun("another code")).toBe(true);
});
