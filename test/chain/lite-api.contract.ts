import { afterAll, beforeAll, describe } from "vitest";
import { describeAccounts } from "./contract/accounts.js";
import { describeBlockProofs } from "./contract/block-proofs.js";
import { describeBlocks, describeInfo } from "./contract/blocks.js";
import { describeCalls, describeMessages, describeMethods } from "./contract/calls.js";
import { describeConfig, describeLibraries } from "./contract/config.js";
import { describeLookups } from "./contract/lookups.js";
import { describeQueues } from "./contract/queues.js";
import { describeShards } from "./contract/shards.js";
import { learn, type Opened, type Sample, type Target } from "./contract/target.js";
import { describeTransactions } from "./contract/transactions.js";

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
