import { afterAll, beforeAll, describe } from "vitest";
import { describeAccounts } from "./accounts.js";
import { describeBlockProofs } from "./block-proofs.js";
import { describeBlocks, describeInfo } from "./blocks.js";
import { describeCalls, describeMessages, describeMethods } from "./calls.js";
import { describeConfig, describeLibraries } from "./config.js";
import { describeLookups } from "./lookups.js";
import { describeQueues } from "./queues.js";
import { describeShards } from "./shards.js";
import { learn, type Opened, type Sample, type Target } from "./target.js";
import { describeTransactions } from "./transactions.js";

/**
 * The contract of every LiteApi: each function with its options, limits and errors; every proof is checked as by a client
 * that trusts only a block id. Sample blocks and accounts come from the api itself.
 */
export function describeLiteApi(name: string, open: () => Promise<Target>): void {
  describe(name, () => {
    let target: Target | undefined;
    let sample: Sample | undefined;
    const opened: Opened = {
      get target() {
        return target!;
      },
      get api() {
        return target!.api;
      },
      get sample() {
        return sample!;
      },
    };
    beforeAll(async () => {
      target = await open();
      sample = await learn(target.api);
    });
    afterAll(() => target?.close?.());

    describeInfo(opened);
    describeBlocks(opened);
    describeLookups(opened);
    describeShards(opened);
    describeAccounts(opened);
    describeTransactions(opened);
    describeConfig(opened);
    describeLibraries(opened);
    describeBlockProofs(opened);
    describeQueues(opened);
    describeCalls(opened);
    describeMessages(opened);
    describeMethods(opened);
  });
}
