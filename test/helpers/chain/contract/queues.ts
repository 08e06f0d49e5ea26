import { describe, expect, test } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { checkState, checkStateBoc, masterchainExtra } from "./proof-checks.js";
import { expectLiteError, type Opened, strange, strangeHash } from "./target.js";

export function describeQueues(opened: Opened): void {
  describe("message queues", () => {
    test("queue sizes are reported for all workchains or for one", async () => {
      if (opened.target.hasNoQueueSizes) {
        const unknown = "no out_msg_queue_size in shard state";
        await expectLiteError(opened.api.getOutMsgQueueSizes(), -400, unknown);
        return;
      }
      const all = await opened.api.getOutMsgQueueSizes();
      const chains = all.shards.map(({ id }) => id.workchain);
      expect(chains[0]).toBe(-1);
      expect(chains.slice(1).every((workchain) => workchain === 0)).toBe(true);
      expect(all.extMsgQueueSizeLimit).toBe(8000);
      const one = await opened.api.getOutMsgQueueSizes({ wc: -1, shard: wholeShard });
      expect(one.shards.map(({ id }) => id.workchain)).toEqual([-1]);
      const none = await opened.api.getOutMsgQueueSizes({ wc: 5, shard: wholeShard });
      expect(none.shards).toEqual([]);
    });

    test("the size of a block's queue is proven if its state stores it", async () => {
      const { last: id } = opened.sample;
      const { proof, ...answer } = await opened.api
        .getBlockOutMsgQueueSize({ id, proof: true })
        .catch(async () => {
          await expectLiteError(
            opened.api.getBlockOutMsgQueueSize({ id }),
            -400,
            "no out_msg_queue_size in shard state",
          );
          return { proof: undefined, id, size: 0n };
        });
      expect(answer).toEqual({ id, size: expect.any(BigInt) });
      if (!proof) return;
      const { extra } = checkStateBoc(id, proof).outMsgQueueInfo.value;
      expect(BigInt(extra!.outQueueSize!)).toBe(answer.size);
      expect(await opened.api.getBlockOutMsgQueueSize({ id })).toEqual(answer);
    });

    test("the dispatch queue is empty", async () => {
      const { last: id } = opened.sample;
      expect(await opened.api.getDispatchQueueInfo({ id, maxAccounts: 10 })).toEqual({
        id,
        accountDispatchQueues: [],
        complete: true,
      });
      const query = { id, addr: strangeHash, afterLt: 0n, maxMessages: 10 };
      expect(await opened.api.getDispatchQueueMessages(query)).toEqual({ id, messages: [], complete: true });
      const full = await opened.api.getDispatchQueueMessages({ ...query, messagesBoc: true, proof: true });
      expect(Object.keys(full).sort()).toEqual(["complete", "id", "messages", "messagesBoc", "proof"]);
      checkStateBoc(id, full.proof!);
    });

    test("limits must be positive, and the block must exist", async () => {
      const { last: id } = opened.sample;
      const query = { id, addr: strangeHash, afterLt: 0n, maxMessages: 0 };
      await expectLiteError(
        opened.api.getDispatchQueueInfo({ id, maxAccounts: 0 }),
        -400,
        "invalid max_accounts",
      );
      await expectLiteError(opened.api.getDispatchQueueMessages(query), -400, "invalid max_messages");
      await expectLiteError(
        opened.api.getBlockOutMsgQueueSize({ id: { ...id, shard: 0n } }),
        -400,
        "invalid BlockIdExt",
      );
      await expectLiteError(
        opened.api.getBlockOutMsgQueueSize({ id: strange(id) }),
        651,
        /^cannot load block .* is not in db$/,
      );
    });

    test("pending blocks are not served", async () => {
      await expectLiteError(opened.api.getPendingShardBlocks(), 0, "query is not allowed");
    });
  });

  describe("validator statistics", () => {
    test("as many records as counted are proven", async () => {
      const { last: id } = opened.sample;
      const { count, complete, stateProof, dataProof } = await opened.api.getValidatorStats({
        id,
        limit: 1000,
        proof: true,
      });
      const state = checkState(id, parseBocRoot(stateProof), parseBocRoot(dataProof));
      const stats = masterchainExtra(state).history.value.blockCreateStats;
      expect({ count, complete }).toEqual({
        count: [...(stats?.counters.keys() ?? [])].length,
        complete: true,
      });
    });

    test("the limit must be positive", async () => {
      const { last: id } = opened.sample;
      await expectLiteError(
        opened.api.getValidatorStats({ id, limit: 0 }),
        -400,
        "requested entry count limit must be positive",
      );
    });
  });
}
