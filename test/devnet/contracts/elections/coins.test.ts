import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../../../server/chain/executor/executor.js";
import type { ConfigDictionary } from "../../../../shared/ton/tlb/config-params.js";
import { sharedExecutor } from "../../../helpers/chain/shared-executor.js";
import { SideBySide } from "../../../helpers/contracts/side-by-side.js";
import { isLong, sized } from "../../../helpers/effort.js";
import { ElectionWorld } from "../../../helpers/elections/election-world.js";
import {
  ownConfigContract,
  ownElector,
  presentConfigContract,
  presentElector,
} from "../../../helpers/elections/electors.js";
import { describeWithChain } from "../../../helpers/test-data.js";

const rounds = 50;
const events = ["accepted", "rejected", "installed", "refused", "recovered", "complaints", "fines"];

let executor: Executor;
beforeAll(async () => {
  executor = await sharedExecutor();
});

/** Holds elections in which everything happens. */
function run(world: ElectionWorld, elections: number): void {
  world.hold(elections, () => {
    expect(world.unbooked).toBe(world.unowned);
    world.expectTotals();
  });
  for (const what of events) expect(world.seen.get(what), what).toBeGreaterThan(0);
  expect(world.seen.get("installed")! + world.seen.get("refused")!).toBeGreaterThan(elections / 2);
}

// The other test counts coins in each run.
describe.runIf(isLong)("The elector of elections", () => {
  it(`neither makes nor loses a coin in ${rounds} random elections`, () => {
    const elector = (config: ConfigDictionary) => ownElector({ executor, config });
    const contract = (config: ConfigDictionary) => ownConfigContract({ executor, config });
    run(new ElectionWorld(elector, contract, 4), rounds);
  });
});

describeWithChain("The elector and the configuration contract of elections", (chain) => {
  it("do as mainnet's in random elections, one after another", () => {
    const elector = (config: ConfigDictionary) => {
      const options = { executor, config };
      return new SideBySide(ownElector(options), [presentElector(chain, options)]);
    };
    const contract = (config: ConfigDictionary) => {
      const options = { executor, config };
      return new SideBySide(ownConfigContract(options), [presentConfigContract(chain, options)]);
    };
    run(new ElectionWorld(elector, contract, 5), sized(3, 25));
  });
});
