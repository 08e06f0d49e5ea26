import { describe, expect, test } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { latestSeqno } from "../../../../shared/ton/tlb/block-id.js";
import { loadStack } from "../../../../shared/ton/tvm/load-stack.js";
import { storeStack } from "../../../../shared/ton/tvm/store-stack.js";
import { checkAccount } from "./proof-checks.js";
import { expectLiteError, type Opened, strangeHash } from "./target.js";

export function describeCalls(opened: Opened): void {
  describe("options of a call", () => {
    test("an existing block is not waited for, one far ahead is rejected", async () => {
      const { last } = opened.sample;
      const [there, far] = [last.seqno, last.seqno + 1000];
      expect(await opened.api.getTime({}, { waitSeqno: there })).toEqual({ now: expect.any(Number) });
      await expectLiteError(
        opened.api.getTime({}, { waitSeqno: far }),
        651,
        "too big masterchain block seqno",
      );
    });

    test("waiting ends at the deadline or when the call is aborted", async () => {
      const { seqno } = (await opened.api.getMasterchainInfo()).last;
      const waitSeqno = seqno + 90;
      await expectLiteError(opened.api.getTime({}, { waitSeqno, deadline: Date.now() - 1 }), 652, "timeout");
      const controller = new AbortController();
      const answer = opened.api.getTime({}, { waitSeqno, signal: controller.signal });
      controller.abort();
      await expectLiteError(answer, 653, "cancelled");
      await expectLiteError(opened.api.getTime({}, { signal: controller.signal }), 653, "cancelled");
    });

    test("a call waits until the block arrives", async ({ skip }) => {
      if (!opened.target.advance) return skip("this chain does not grow");
      const { seqno } = (await opened.api.getMasterchainInfo()).last;
      const answer = opened.api.getMasterchainInfo({}, { waitSeqno: seqno + 1 });
      await opened.target.advance();
      expect((await answer).last.seqno).toBeGreaterThan(seqno);
    });

    test("answers are plain data that a structured clone leaves unchanged", async () => {
      const { recent, last: id, zero } = opened.sample;
      const answers = [
        await opened.api.getMasterchainInfoExt({}),
        await opened.api.getAccountState({ id, account: recent.account, proof: true }),
        await opened.api.getBlockProof({ knownBlock: zero }),
        await opened.api.listBlockTransactions({
          id: recent.block,
          count: 5,
          account: true,
          lt: true,
          hash: true,
        }),
      ];
      expect(structuredClone(answers)).toEqual(answers);
    });
  });
}

export function describeMessages(opened: Opened): void {
  describe("sending messages", () => {
    test("bytes that are not a message are rejected", async () => {
      const refusals = [Uint8Array.of(1, 2, 3), serializeBoc(beginCell().storeUint(5, 8).endCell())];
      for (const body of refusals)
        await expect(opened.api.sendMessage({ body })).rejects.toMatchObject({
          name: "LiteError",
          message: expect.stringMatching(
            /^(cannot apply external message to current state : |node not synced$)/,
          ),
        });
    });

    test("a message is accepted once", async ({ skip }) => {
      if (!opened.target.message) return skip("no messages can be sent here");
      const body = await opened.target.message();
      expect(await opened.api.sendMessage({ body })).toEqual({ status: 1 });
      await expectLiteError(
        opened.api.sendMessage({ body }),
        0,
        "cannot send external message : duplicate message",
      );
    });
  });
}

export function describeMethods(opened: Opened): void {
  describe("get-methods", () => {
    const noParams = new Uint8Array(0);

    test("a missing account, or one without code, gives exit code -256", async () => {
      const { last: id } = opened.sample;
      const account = { workchain: 0, id: strangeHash };
      const answer = await opened.api.runSmcMethod({
        id,
        account,
        methodId: 0x10000n,
        params: noParams,
        proof: true,
        stateProof: true,
        result: true,
      });
      const { shardProof, proof, ...rest } = answer;
      expect(rest).toEqual({
        id,
        shardblk: expect.objectContaining({ workchain: 0 }),
        exitCode: -256,
        stateProof: new Uint8Array(0),
        result: new Uint8Array(0),
      });
      const absent = {
        id,
        shardblk: answer.shardblk,
        shardProof: shardProof!,
        proof: proof!,
        state: noParams,
      };
      expect(checkAccount(id, account, absent)).toBeUndefined();
    });

    test("parameters are limited in size and must be a stack without continuations", async () => {
      const { last: id, recent } = opened.sample;
      const run = (params: Uint8Array) =>
        opened.api.runSmcMethod({ id, account: recent.account, methodId: 0x10000n, params });
      await expectLiteError(run(new Uint8Array(65536)), -400, "more than 64k parameter bytes passed");
      await expectLiteError(run(Uint8Array.of(1, 2, 3)), -400, /^cannot deserialize parameter list boc: /);
      const continuation = storeStack([
        { type: "continuation", cell: beginCell().storeUint(1, 8).endCell() },
      ]);
      for (const cell of [beginCell().storeUint(1, 8).endCell(), continuation])
        await expectLiteError(
          run(serializeBoc(cell)),
          -400,
          "parameter list boc cannot be deserialized as a VmStack",
        );
    });

    test("a method runs on the newest state, and answers only the requested parts", async ({ skip }) => {
      const { method } = opened.target;
      if (!method) return skip("nothing can be run here");
      const id = { ...opened.sample.last, seqno: latestSeqno };
      const call = { id, account: method.account, methodId: method.methodId, params: noParams };
      const answer = await opened.api.runSmcMethod({ ...call, result: true });
      expect(Object.keys(answer).sort()).toEqual(["exitCode", "id", "result", "shardblk"]);
      expect(answer.exitCode).toBe(0);
      expect(loadStack(parseBocRoot(answer.result!))).toEqual([{ type: "int", value: method.result }]);
      const bare = await opened.api.runSmcMethod(call);
      expect(Object.keys(bare).sort()).toEqual(["exitCode", "id", "shardblk"]);
    });

    test("proofs, the account's cells and c7 are sent when asked for", async ({ skip }) => {
      const { method } = opened.target;
      if (!method) return skip("nothing can be run here");
      const { last: id } = await opened.api.getMasterchainInfo();
      const call = { id, account: method.account, methodId: method.methodId, params: noParams };
      const answer = await opened.api.runSmcMethod({
        ...call,
        proof: true,
        stateProof: true,
        initC7: true,
        libExtras: true,
      });
      expect(answer.libExtras).toHaveLength(0);
      const { state } = await opened.api.getAccountState({ id, account: method.account });
      const { shardblk, shardProof, proof } = answer;
      checkAccount(id, method.account, { id, shardblk, shardProof: shardProof!, proof: proof!, state });
      expect(parseBocRoot(answer.stateProof!).ref(0).hash(0)).toEqual(parseBocRoot(state).hash());
      const fields = async (fullC7: boolean) => {
        const { initC7 } = await opened.api.runSmcMethod({ ...call, initC7: true, fullC7 });
        const value = loadStack(
          beginCell()
            .storeUint(1, 24)
            .storeRef(beginCell().endCell())
            .storeSlice(parseBocRoot(initC7!).parse())
            .endCell(),
        )[0]!;
        if (value.type !== "tuple" || value.items[0]!.type !== "tuple") throw new Error("c7 is no tuple");
        return value.items[0]!.items;
      };
      expect((await fields(false)).map(({ type }) => type)).toEqual([
        "int",
        "int",
        "int",
        "int",
        "int",
        "int",
        "int",
        "tuple",
        "slice",
        "null",
      ]);
      expect((await fields(true)).slice(9).map(({ type }) => type)).toEqual([
        "cell",
        "cell",
        "tuple",
        "int",
        "tuple",
        "tuple",
        "int",
        "null",
        "tuple",
      ]);
    });

    test("an unknown method gives exit code 11", async ({ skip }) => {
      const { method } = opened.target;
      if (!method) return skip("nothing can be run here");
      const { last: id } = await opened.api.getMasterchainInfo();
      const { exitCode } = await opened.api.runSmcMethod({
        id,
        account: method.account,
        methodId: 0x1abcdn,
        params: noParams,
      });
      expect(exitCode).toBe(11);
    });
  });
}
