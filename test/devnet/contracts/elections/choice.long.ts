import { beforeAll, expect, it } from "vitest";
import { Executor } from "../../../../server/chain/executor/executor.js";
import { ton } from "../../../helpers/chain/devnet.js";
import { SideBySide } from "../../../helpers/contracts/side-by-side.js";
import { stakeBody } from "../../../helpers/elections/election-bodies.js";
import {
  type ElectionConfig,
  electionConfig,
  firstSetTime,
  stakeHolder,
  testKey,
} from "../../../helpers/elections/elections.js";
import { readElector } from "../../../helpers/elections/elector-data.js";
import { originalElector, ownElector, presentElector } from "../../../helpers/elections/electors.js";
import { pseudoRandom } from "../../../helpers/pseudo-random.js";
import { describeWithChain } from "../../../helpers/test-data.js";

const electAt = firstSetTime + 65_536;
const due = electAt - 32_768;
const close = electAt - 8192;
const elections = 30;
const thousands = (count: bigint) => count * 1000n * ton;
const three = [20n, 30n, 50n].map(thousands);

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

describeWithChain("The elector of elections chooses as mainnet's electors do", (chain) => {
  it(`in ${elections} random elections`, () => {
    const numbers = pseudoRandom(11);
    const below = (limit: number) => Math.floor(numbers.next().value * limit);
    const hundreds = (count: number) => BigInt(count) * 100n * ton;

    /** An election with small limits, so that each of them counts for some of the members. */
    function held(): boolean {
      const maxValidators = 1 + below(8);
      const config = electionConfig({
        counts: { maxValidators, maxMainValidators: 1 + below(maxValidators), minValidators: below(4) },
        limits: {
          minStake: hundreds(1 + below(5)),
          maxStake: hundreds(5 + below(20)),
          minTotalStake: hundreds(1 + below(40)),
          maxStakeFactor: 65_536 + below(4 * 65_536),
        },
      });
      const options = { executor, config, balance: 10_000n * ton };
      const elector = new SideBySide(ownElector(options), [
        presentElector(chain, options),
        originalElector(chain, options),
      ]);
      elector.tick(firstSetTime);
      elector.tick(due);
      for (let left = below(14); left > 0; left--) stake(elector);
      const { sent } = elector.tick(close);
      elector.tick(close + 1);
      return sent.length > 0;
    }

    /** Amounts are often equal, so that age and key decide. */
    function stake(elector: SideBySide): void {
      const number = below(10);
      const source = stakeHolder(number);
      const amount = below(3) > 0 ? hundreds(below(20)) : BigInt(below(3000)) * ton;
      const adnl = testKey(60 + number).publicKey;
      const body = stakeBody({
        ...{ key: testKey(number), source, stakeAt: electAt, maxFactor: 65_536 + below(4) * 40_000 },
        ...{ queryId: BigInt(below(2)), ...(below(2) > 0 && { adnl }) },
      });
      elector.receive({ from: source, value: amount + ton, body, at: due + 1 + below(5) });
    }

    const results = Array.from({ length: elections }, held);
    expect(results.filter((isHeld) => isHeld).length).toBeGreaterThan(elections / 4);
    expect(results.filter((isHeld) => !isHeld).length).toBeGreaterThan(elections / 8);
  });

  it.each<[string, ElectionConfig, bigint[]]>([
    ["no member and no least total", { limits: { minTotalStake: 0n } }, []],
    ["stakes of next to nothing", { limits: { minStake: 0n, minTotalStake: 0n } }, [1n, 2n, 3n, 0n]],
    ["a greatest factor below 1", { limits: { maxStakeFactor: 30_000 } }, [20n, 30n, 50n].map(thousands)],
    ["unlimited factors", { limits: { maxStakeFactor: 2 ** 32 - 1 } }, [20n, 3000n].map(thousands)],
    ["enormous stakes", { limits: { maxStake: 2n ** 100n } }, [20n, 30n].map((ten) => ten * 10n ** 27n)],
    ["more seats at least than at most", { counts: { minValidators: 3, maxValidators: 2 } }, three],
    ["no seats", { counts: { minValidators: 0, maxValidators: 0 } }, three],
    ["no seats of the masterchain", { counts: { maxMainValidators: 0 } }, three],
  ])("with %s", (_, config, stakes) => {
    const options = { executor, config: electionConfig(config) };
    const elector = new SideBySide(ownElector(options), [
      presentElector(chain, options),
      originalElector(chain, options),
    ]);
    elector.tick(firstSetTime);
    elector.tick(due);
    for (const [number, amount] of stakes.entries()) {
      const source = stakeHolder(number);
      const body = stakeBody({ key: testKey(number), source, stakeAt: electAt, maxFactor: 2 ** 32 - 1 });
      elector.receive({ from: source, value: amount + ton, body, at: due + 1 });
    }
    elector.tick(close);
    elector.tick(close + 1);
    expect(readElector(elector.data).election?.electAt).toBe(electAt);
  });
});
