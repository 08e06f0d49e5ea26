import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseBoc, parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../../shared/ton/cells/cell.js";
import { CellError } from "../../../../../shared/ton/cells/cell-error.js";
import type {
  AccountState,
  BlockHeader,
  LiteApi,
  PartialBlockProof,
} from "../../../../../shared/ton/lite/lite-api.js";
import {
  usefulProofs,
  verifyAccountState,
  verifyEntry,
} from "../../../../../shared/ton/proofs/verify/accounts.js";
import {
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
} from "../../../../../shared/ton/proofs/verify/block-transactions.js";
import { verifyBlockData, verifyState } from "../../../../../shared/ton/proofs/verify/blocks.js";
import { verifyConfig } from "../../../../../shared/ton/proofs/verify/config.js";
import { verifyHeader } from "../../../../../shared/ton/proofs/verify/headers.js";
import { verifyLibraries } from "../../../../../shared/ton/proofs/verify/libraries.js";
import { verifyLookup } from "../../../../../shared/ton/proofs/verify/lookups.js";
import { ProofError } from "../../../../../shared/ton/proofs/verify/proof-error.js";
import {
  cellWithHash,
  checkShown,
  masterchainExtra,
  provenHeader,
  stateTree,
  stateTreeBoc,
} from "../../../../../shared/ton/proofs/verify/proof-trees.js";
import type { ProvenShards } from "../../../../../shared/ton/proofs/verify/proven-shards.js";
import { verifyQueueSize } from "../../../../../shared/ton/proofs/verify/queues.js";
import { verifyRun } from "../../../../../shared/ton/proofs/verify/run-method.js";
import { verifyShardLinks } from "../../../../../shared/ton/proofs/verify/shard-links.js";
import { verifyAllShards, verifyShardInfo } from "../../../../../shared/ton/proofs/verify/shards.js";
import {
  verifyOneTransaction,
  verifyTransactionChain,
} from "../../../../../shared/ton/proofs/verify/transactions.js";
import { readSigners, verifyBlockProof } from "../../../../../shared/ton/proofs/verify/trust/block-proof.js";
import { verifyValidatorStats } from "../../../../../shared/ton/proofs/verify/validator-stats.js";
import {
  type BlockIdExt,
  formatBlockId,
  invalidWorkchain,
  wholeShard,
} from "../../../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../../../shared/values/bytes.js";
import {
  blockAt,
  learn,
  type Sample,
  type SampleTransaction,
  strangeHash,
} from "../../../../helpers/chain/contract/target.js";
import { type ForgedBlock, proofsOf, wholeProof, withHeader } from "./forged.js";
import { rememberedChain } from "./remembered-chain.js";

const proof = true;
const nothing = new Uint8Array(0);

/** The reason of a refusal. */
async function reasonOf(check: () => unknown): Promise<string> {
  try {
    await check();
  } catch (error) {
    expect(error).toBeInstanceOf(ProofError);
    return (error as Error).message;
  }
  return "nothing was refused";
}

describe("a wrong answer is refused with its reason:", () => {
  let target: Awaited<ReturnType<typeof rememberedChain>>;
  let api: LiteApi;
  let sample: Sample;
  let last: ForgedBlock;
  /** The last transaction of a contract of the basechain. */
  let recent: SampleTransaction;
  beforeAll(async () => {
    target = await rememberedChain();
    api = target.api;
    sample = await learn(api);
    last = await load(sample.last);
    const { account } = target.method;
    const query = { id: sample.last, account, proof };
    const { lastTransLt: lt, lastTransHash: hash } = verifyEntry(query, await api.getAccountState(query))
      .entry!;
    const { ids } = await api.getTransactions({ count: 1, account, lt, hash });
    recent = { block: ids[0]!, account, lt, hash };
  });
  afterAll(() => target?.close());

  async function load(id: BlockIdExt): Promise<ForgedBlock> {
    const root = parseBocRoot((await api.getBlock({ id })).data);
    return { id, root, state: parseBocRoot((await api.getState({ id })).data) };
  }
  const named = (id: BlockIdExt) => formatBlockId(id);
  const otherHashes = (id: BlockIdExt) => ({ ...id, fileHash: strangeHash });

  test("the id", async () => {
    const { last: id, first } = sample;
    const answer = await api.getBlock({ id });
    expect(verifyBlockData({ id }, answer)).toBeUndefined();
    expect(await reasonOf(() => verifyBlockData({ id: first }, answer))).toBe(
      `the answer is about ${named(id)}, not about ${named(first)}`,
    );
    for (const other of [
      { ...id, workchain: 0 },
      { ...id, shard: 1n << 62n },
    ])
      expect(await reasonOf(() => verifyBlockData({ id: other }, answer))).toBe(
        `the answer is about ${named(id)}, not about ${named(other)}`,
      );
    expect(await reasonOf(() => verifyBlockData({ id: otherHashes(id) }, answer))).toBe(
      `the answer is about ${named(id)} with other hashes, not about ${named(id)}`,
    );
  });

  test("a block and a state", async () => {
    const { last: id, zero } = sample;
    const block = await api.getBlock({ id });
    expect(await reasonOf(() => verifyBlockData({ id }, { ...block, data: Uint8Array.of(1) }))).toMatch(
      /^wrong file hash of the block: 4bf5122f344554c5\w+ instead of \w{64}$/,
    );
    const state = await api.getState({ id: zero });
    const check = (change: Partial<typeof state>, hash = zero.rootHash) =>
      reasonOf(() => verifyState(zero, hash, { ...state, ...change }));
    expect(await check({})).toBe("nothing was refused");
    expect(await check({ rootHash: strangeHash })).toBe(
      `wrong state hash: ${bytesToHex(strangeHash)} instead of ${bytesToHex(zero.rootHash)}`,
    );
    expect(await check({ data: serializeBoc(Cell.empty) })).toMatch(/^wrong state: 96a296d2\w+ instead of/);
    expect(await check({ fileHash: strangeHash })).toMatch(/^wrong file hash of the state: /);
    expect(await check({ id: sample.first })).toMatch(/^the answer is about/);
  });

  test("a header", async () => {
    const { id, root } = last;
    const check = (block: ForgedBlock) => reasonOf(() => provenHeader(block.id, wholeProof(block.root)));
    expect(await check(last)).toBe("nothing was refused");
    expect(
      await reasonOf(() => provenHeader(otherHashes({ ...id, rootHash: strangeHash }), wholeProof(root))),
    ).toBe(
      `the proof is not of block ${named(id)}: ${bytesToHex(id.rootHash)} instead of ${bytesToHex(strangeHash)}`,
    );
    for (const other of [
      { ...id, seqno: id.seqno + 1 },
      { ...id, workchain: 0 },
      { ...id, shard: 1n << 62n },
    ])
      expect(await check({ ...last, id: other })).toBe(
        `the header is of ${named(id)}, not of ${named(other)}`,
      );
    expect(await check(withHeader(last, () => ({ version: 1 })))).toBe("the block has version 1");
    const shard = await load(recent.block);
    const { masterRef } = { masterRef: undefined };
    expect(await check(withHeader(shard, () => ({ notMaster: false, masterRef })))).toBe(
      "the header has a wrong `not_master`",
    );
  });

  test("a header whose previous block is not one before it, and one without its state update", async () => {
    const header = (block: ForgedBlock, proofOf = wholeProof(block.root)): BlockHeader => ({
      id: block.id,
      headerProof: serializeBoc(proofOf),
    });
    const skipped = withHeader({ ...last, id: { ...last.id, seqno: 999 } }, () => ({ seqno: 999 }));
    expect(await reasonOf(() => verifyHeader({ id: skipped.id }, header(skipped)))).toBe(
      `${named(skipped.id)} does not follow the blocks it names`,
    );
    expect(await reasonOf(() => verifyHeader({ id: last.id, stateUpdate: true }, header(last)))).toBe(
      "nothing was refused",
    );
    const bare = await api.getBlockHeader({ id: last.id });
    expect(await reasonOf(() => verifyHeader({ id: last.id }, bare))).toBe("nothing was refused");
    expect(await reasonOf(() => verifyHeader({ id: last.id, stateUpdate: true }, bare))).toBe(
      "the proof has no state update",
    );
    expect(await reasonOf(() => verifyHeader({ id: sample.first }, bare))).toMatch(/^the answer is about/);
  });

  test("the state after a block", async () => {
    const { id, root, state } = last;
    expect(await reasonOf(() => stateTreeBoc(id, proofsOf(root, state)))).toBe("nothing was refused");
    for (const bytes of [proofsOf(root), proofsOf(root, state, root)])
      expect(await reasonOf(() => stateTreeBoc(id, bytes))).toBe("the proof of a state must have two roots");
    const other = await load(sample.first);
    expect(await reasonOf(() => stateTree(id, wholeProof(root), wholeProof(other.state)))).toBe(
      `the proof is not of the state of ${named(id)}: ${other.state.hashHex()} instead of ${state.hashHex()}`,
    );
    const { state: ofShard } = await load(recent.block);
    expect(await reasonOf(() => masterchainExtra(ofShard))).toBe("the state is not one of the masterchain");
  });

  test("a cell that is left out, or another one", async () => {
    const { state } = last;
    expect(await reasonOf(() => checkShown(undefined, "the part"))).toBe("nothing was refused");
    expect(await reasonOf(() => checkShown(state, "the part"))).toBe("nothing was refused");
    const bare = parseBocRoot((await api.getBlockHeader({ id: last.id })).headerProof).refs[0]!;
    expect(await reasonOf(() => checkShown(bare, "the part"))).toBe("the proof is incomplete: the part");
    const bytes = serializeBoc(state);
    expect(cellWithHash(bytes, state.hash(), "the cell").equals(state)).toBe(true);
    expect(await reasonOf(() => cellWithHash(bytes, strangeHash, "the cell"))).toBe("the cell is wrong");
  });

  describe("the entry of an account", () => {
    const elsewhere = { workchain: 9, id: strangeHash };

    test("that cannot be in the shard of the block", async () => {
      const left: BlockIdExt = { ...recent.block, shard: 1n << 62n };
      const account = { workchain: 0, id: new Uint8Array(32).fill(0x80) };
      const answer = { id: left, shardblk: left, shardProof: nothing, proof: nothing };
      expect(await reasonOf(() => verifyEntry({ id: left, account }, answer))).toBe(
        `the account is not in the shard of ${named(left)}`,
      );
      const block = recent.block;
      const strange = { id: block, shardblk: block, shardProof: nothing, proof: nothing };
      expect(await reasonOf(() => verifyEntry({ id: block, account: elsewhere }, strange))).toBe(
        `${named(block)} does not register other shards`,
      );
    });

    test("of a workchain that does not exist", async () => {
      const query = { id: last.id, account: elsewhere, proof };
      const answer = await api.getAccountState(query);
      expect(verifyEntry(query, answer)).toEqual({ shardBlock: undefined, entry: undefined });
      expect(await reasonOf(() => verifyEntry(query, { ...answer, shardblk: recent.block }))).toBe(
        "the answer names a block of a shard that does not exist",
      );
    });

    test("whose state is of another account, or of none", async () => {
      const query = { id: last.id, account: recent.account, proof };
      const answer = await api.getAccountState(query);
      const check = (more: Partial<AccountState>, request = query) =>
        reasonOf(() => verifyAccountState(request, { ...answer, ...more }));
      expect(await check({})).toBe("nothing was refused");
      expect(await check({ state: serializeBoc(Cell.empty) })).toMatch(
        /^wrong account state: 96a296d2\w+ instead of \w{64}$/,
      );
      expect(await check({ shardblk: otherHashes(answer.shardblk) })).toMatch(
        / with other hashes, not about/,
      );
      const absent = { ...query, account: { workchain: 0, id: strangeHash } };
      const none = await api.getAccountState(absent);
      expect(await reasonOf(() => verifyAccountState(absent, none))).toBe("nothing was refused");
      expect(await reasonOf(() => verifyAccountState(absent, { ...none, state: answer.state }))).toBe(
        "the answer has a state of an absent account",
      );
    });

    test("at the block of its own shard", async () => {
      const { block: id, account } = recent;
      const query = { id, account, proof };
      const answer = await api.getAccountState(query);
      expect(verifyEntry(query, answer).shardBlock).toEqual(id);
      expect(verifyEntry(query, answer).entry?.lastTransLt).toBeGreaterThan(0n);
      expect(await reasonOf(() => verifyEntry(query, { ...answer, shardblk: otherHashes(id) }))).toMatch(
        / with other hashes, not about /,
      );
    });

    test("needs no proof of its shard that was verified before, for this shard only", async () => {
      const query = { id: last.id, account: recent.account, proof };
      const answer = await api.getAccountState(query);
      const asked: unknown[] = [];
      const added: unknown[] = [];
      const knowing = (isKnown: boolean) =>
        ({
          has: (...of: unknown[]) => asked.push(of) > 0 && isKnown,
          add: (...of: unknown[]) => added.push(of),
        }) as unknown as ProvenShards;
      const { shardblk, shardProof } = answer;
      expect(verifyEntry(query, { ...answer, shardProof: nothing }, knowing(true)).shardBlock).toEqual(
        shardblk,
      );
      expect(asked.splice(0)).toEqual([[last.id, shardblk, nothing]]);
      expect(added).toEqual([]);
      expect(verifyEntry(query, answer, knowing(false)).shardBlock).toEqual(shardblk);
      expect([asked.splice(0), added]).toEqual([
        [[last.id, shardblk, shardProof]],
        [[last.id, shardblk, shardProof]],
      ]);
      const half = (recent.account.id[0]! & 0x80) === 0 ? 0xc000000000000000n : 1n << 62n;
      for (const other of [
        { ...shardblk, workchain: 5 },
        { ...shardblk, shard: half },
      ])
        expect(() => verifyEntry(query, { ...answer, shardblk: other }, knowing(true))).toThrow(
          /the answer is about/,
        );
      expect(asked).toEqual([]);
    });

    test("keeps the proofs that were requested and prove something", () => {
      const { last: id } = sample;
      const answer = { shardblk: id, shardProof: Uint8Array.of(1), proof: Uint8Array.of(2) };
      const proven = { shardBlock: recent.block, entry: undefined };
      const useful = (isWanted: boolean, at: BlockIdExt, shardBlock: BlockIdExt | undefined) =>
        usefulProofs({ id: at, proof: isWanted }, { ...proven, shardBlock }, { id, ...answer });
      const { shardProof, proof: ofState } = answer;
      expect(useful(true, id, recent.block)).toEqual({ shardblk: recent.block, shardProof, proof: ofState });
      expect(useful(false, id, recent.block)).toEqual({
        shardblk: recent.block,
        shardProof: nothing,
        proof: nothing,
      });
      expect(useful(true, recent.block, recent.block)).toEqual({
        shardblk: recent.block,
        shardProof: nothing,
        proof: ofState,
      });
      expect(useful(true, id, undefined)).toEqual({
        shardblk: expect.objectContaining({ workchain: invalidWorkchain }),
        shardProof,
        proof: nothing,
      });
    });
  });

  test("a run of a get-method", async () => {
    const { account, methodId } = target.method;
    const query = { id: last.id, account, methodId, params: nothing, proof, stateProof: true, result: true };
    const answer = await api.runSmcMethod(query);
    const check = (more: object, request = query) =>
      reasonOf(() => verifyRun(request, { ...answer, ...more }));
    expect(await check({})).toBe("nothing was refused");
    for (const missing of ["proof", "shardProof"])
      expect(await check({ [missing]: undefined })).toBe("the proof is missing");
    expect(await check({ stateProof: undefined })).toBe("the proof of the state is missing");
    expect(await check({ stateProof: proofsOf(Cell.empty) })).toMatch(
      /^the method ran on a wrong state: 96a296d2/,
    );
    // Neither was it asked for, nor has it run.
    expect(await check({ stateProof: undefined }, { ...query, stateProof: false })).toBe(
      "nothing was refused",
    );
    expect(await check({ stateProof: undefined, exitCode: -256 })).toBe("nothing was refused");

    const absent = { ...query, account: { workchain: 0, id: strangeHash } };
    const none = await api.runSmcMethod(absent);
    const checkAbsent = (more: object) => reasonOf(() => verifyRun(absent, { ...none, ...more }));
    expect(await checkAbsent({})).toBe("nothing was refused");
    for (const lie of [{ exitCode: 0 }, { result: Uint8Array.of(1) }, { stateProof: Uint8Array.of(1) }])
      expect(await checkAbsent(lie)).toBe("the answer has a result of an absent account");
    expect(await checkAbsent({ result: nothing, stateProof: nothing })).toBe("nothing was refused");
  });

  test("the transactions of an account", async () => {
    const { account, lt, hash } = recent;
    const query = { count: 3, account, lt, hash };
    const answer = await api.getTransactions(query);
    const cells = parseBoc(answer.transactions);
    const check = (more: Partial<typeof answer>, request: Partial<typeof query> = {}) =>
      reasonOf(() => verifyTransactionChain({ ...query, ...request }, { ...answer, ...more }));
    expect(await check({})).toBe("nothing was refused");
    expect(verifyTransactionChain(query, answer)[0]).toBe(lt);
    expect(verifyTransactionChain(query, answer)).toHaveLength(cells.length);
    expect(await check({ ids: answer.ids.slice(1) })).toBe("the numbers of blocks and transactions differ");
    expect(await check({}, { count: cells.length - 1 })).toBe("more transactions than asked for");
    const none = { ids: [], transactions: nothing };
    expect(await check(none)).toBe("the first transaction is missing");
    expect(await check(none, { count: 0 })).toBe("nothing was refused");
    expect(await check(none, { lt: 0n })).toBe("nothing was refused");
    expect(await check({ transactions: serializeBoc(cells.toReversed()) })).toMatch(
      /^wrong transaction in the chain: \w{64} instead of \w{64}$/,
    );
    for (const request of [{ lt: lt + 1n }, { account: { ...account, id: strangeHash } }])
      expect(await check({}, request)).toBe("the transaction does not match the lt or the account");
    const elsewhere = [
      { ...answer.ids[0]!, workchain: 1 },
      { ...answer.ids[0]!, shard: (account.id[0]! & 0x80) === 0 ? 0xc000000000000000n : 1n << 62n },
    ];
    for (const id of elsewhere)
      expect(await check({ ids: [id, ...answer.ids.slice(1)] })).toBe(
        "a block of another shard than the account's",
      );
  });

  test("at most 16 transactions are sent, whatever was asked for", async () => {
    const { account, lt, hash } = recent;
    const one = await api.getTransactions({ count: 1, account, lt, hash });
    const others = Array.from({ length: 16 }, (_, index) => beginCell().storeUint(index, 8).endCell());
    const cells = [parseBocRoot(one.transactions), ...others];
    const many = { ids: new Array(17).fill(one.ids[0]!), transactions: serializeBoc(cells) };
    const check = (count: number) => {
      const answer = { ids: many.ids.slice(0, count), transactions: serializeBoc(cells.slice(0, count)) };
      return reasonOf(() => verifyTransactionChain({ count: 100, account, lt, hash }, answer));
    };
    expect(await check(17)).toBe("more transactions than asked for");
    expect(await check(16)).toMatch(/^wrong transaction in the chain/);
  });

  test("one transaction of a block", async () => {
    const { block: id, account, lt } = recent;
    const query = { id, account, lt, proof };
    const answer = await api.getOneTransaction(query);
    const check = (more: Partial<typeof answer>, request: Partial<typeof query> = {}) =>
      reasonOf(() => verifyOneTransaction({ ...query, ...request }, { ...answer, ...more }));
    expect(await check({})).toBe("nothing was refused");
    expect(await check({ transaction: serializeBoc(Cell.empty) })).toBe("the transaction is wrong");
    expect(await check({ id: last.id })).toMatch(/^the answer is about/);
    const elsewhere = { account: { ...account, workchain: -1 } };
    expect(await check({}, elsewhere)).toBe(`the account is not in the shard of ${named(id)}`);
    const half = { ...id, shard: (account.id[0]! & 0x80) === 0 ? 0xc000000000000000n : 1n << 62n };
    expect(await check({ id: half }, { id: half })).toBe(`the account is not in the shard of ${named(half)}`);
    const none = await api.getOneTransaction({ ...query, lt: 1n });
    expect(await check(none, { lt: 1n })).toBe("nothing was refused");
    expect(await check({ ...none, transaction: answer.transaction }, { lt: 1n })).toBe(
      "the block does not have the transaction",
    );
  });

  test("a list of transactions", async () => {
    const { busy: id } = sample;
    const query = { id, count: 2, account: true, lt: true, hash: true, metadata: true, proof };
    const answer = await api.listBlockTransactions(query);
    const check = (more: Partial<typeof answer>) =>
      reasonOf(() => verifyBlockTransactions(query, { ...answer, ...more }));
    const [first, second] = answer.ids as [(typeof answer.ids)[0], (typeof answer.ids)[0]];
    expect(await check({})).toBe("nothing was refused");
    expect(await check({ ids: [first] })).toBe("1 transactions instead of 2");
    expect(await check({ incomplete: !answer.incomplete })).toBe("`incomplete` of the list is wrong");
    expect(await check({ id: last.id })).toMatch(/^the answer is about/);
    const initiator = { workchain: 0, id: strangeHash };
    const wrong = [
      { account: strangeHash },
      { lt: 1n },
      { hash: strangeHash },
      { account: undefined },
      { metadata: { depth: 0, initiator, initiatorLt: 0n } },
    ];
    for (const lie of wrong) {
      expect(await check({ ids: [{ ...first, ...lie } as never, second] })).toBe(
        "transaction 0 of the list is wrong",
      );
      expect(await check({ ids: [first, { ...second, ...lie } as never] })).toBe(
        "transaction 1 of the list is wrong",
      );
    }
    const query2 = { id, count: 2, proof };
    const whole = await api.listBlockTransactionsExt(query2);
    const cells = parseBoc(whole.transactions);
    const checkExt = (more: Partial<typeof whole>, request = query2) =>
      reasonOf(() => verifyBlockTransactionsExt(request, { ...whole, ...more }));
    expect(await checkExt({})).toBe("nothing was refused");
    expect(await checkExt({ transactions: serializeBoc([cells[0]!, cells[0]!]) })).toMatch(
      /^transaction 1 of the list is wrong: \w{64} instead of \w{64}$/,
    );
    expect(await checkExt({ transactions: nothing })).toBe("0 transactions instead of 2");
  });

  test("the configuration", async () => {
    const id = last.id;
    const answer = await api.getConfigParams({ id, paramList: [15, 34, -999], proof });
    const check = (request: object, more: Partial<typeof answer> = {}) =>
      reasonOf(() => verifyConfig({ id, ...request }, { ...answer, ...more }));
    expect(await check({ paramList: [15, 34, -999] })).toBe("nothing was refused");
    expect(await check({})).toBe("the proof is incomplete: the configuration");
    expect(await check({ paramList: [15] }, { id: sample.first })).toMatch(/^the answer is about/);
    // The blocks before, which the caller will read, are not in this proof.
    expect(() => verifyConfig({ id, paramList: [15], prevBlocks: true }, answer)).toThrow(CellError);
    const full = await api.getConfigParams({ id, paramList: [15], prevBlocks: true, proof });
    expect(verifyConfig({ id, paramList: [15], prevBlocks: true }, full)).toBeUndefined();
    const ofKeyBlock = { paramList: [15], fromPrevKeyBlock: true };
    const plain = await load(await blockAt(api, last.id.seqno));
    const own = { id: plain.id, configProof: proofsOf(plain.root) };
    expect(await check(ofKeyBlock, own)).toBe(`${named(plain.id)} is not a key block`);
    const shard = await load(recent.block);
    expect(await check(ofKeyBlock, { id: shard.id, configProof: proofsOf(shard.root) })).toBe(
      "the block is not one of the masterchain",
    );
  });

  test("libraries", async () => {
    const id = last.id;
    const hash = target.library;
    const query = { id, libraryList: [hash, strangeHash, hash], proof };
    const answer = await api.getLibrariesWithProof(query);
    const [entry] = answer.result;
    const check = (more: Partial<typeof answer>, request: object = {}) =>
      reasonOf(() => verifyLibraries({ ...query, ...request }, { ...answer, ...more }));
    expect(await check({})).toBe("nothing was refused");
    const fewerOrMore = "there are more or fewer libraries than proven";
    expect(await check({ result: [] })).toBe(fewerOrMore);
    expect(await check({ result: [entry!, entry!] })).toBe(fewerOrMore);
    expect(await check({ result: [{ ...entry!, hash: strangeHash }] })).toBe(
      `library ${bytesToHex(hash)} is missing`,
    );
    const wrongCode = "wrong code of a library";
    expect(await check({ result: [{ ...entry!, data: serializeBoc(Cell.empty) }] })).toBe(wrongCode);
    expect(await check({ result: [{ ...entry!, data: nothing }] }, { noData: true })).toBe(
      "nothing was refused",
    );
    const code = parseBocRoot(entry!.data);
    const library = code.hashHex() === bytesToHex(hash) ? code : code.ref(0);
    // Servers may wrap a library in an empty cell.
    const wrapped = (cell: Cell) => ({ result: [{ ...entry!, data: serializeBoc(cell) }] });
    expect(await check(wrapped(library))).toBe("nothing was refused");
    expect(await check(wrapped(beginCell().storeRef(library).endCell()))).toBe("nothing was refused");
    expect(await check(wrapped(beginCell().storeUint(1, 1).storeRef(library).endCell()))).toBe(wrongCode);
    expect(await check(wrapped(beginCell().storeRef(library).storeRef(library).endCell()))).toBe(wrongCode);
    expect(await check(wrapped(beginCell().storeRef(Cell.empty).endCell()))).toBe(wrongCode);
    expect(await check({ id: sample.first })).toMatch(/^the answer is about/);
    // Servers look up the first 16 only.
    const many = new Array(16).fill(strangeHash);
    const none = await api.getLibrariesWithProof({ ...query, libraryList: [...many, hash] });
    expect(none.result).toEqual([]);
    expect(await reasonOf(() => verifyLibraries({ ...query, libraryList: [...many, hash] }, none))).toBe(
      "nothing was refused",
    );
  });

  test("the shards of a block", async () => {
    const id = last.id;
    const answer = await api.getAllShardsInfo({ id, proof });
    const check = (more: Partial<typeof answer>) =>
      reasonOf(() => verifyAllShards({ id }, { ...answer, ...more }));
    expect(await check({})).toBe("nothing was refused");
    expect(await check({ id: sample.first })).toMatch(/^the answer is about/);
    // Older servers prove it by the state after the block.
    expect(await check({ proof: proofsOf(last.root) })).toBe("nothing was refused");
    expect(await check({ proof: proofsOf(last.root, last.state) })).toBe("nothing was refused");
    expect(await check({ proof: proofsOf(last.root, last.state, last.root) })).toBe(
      "the proof of shards must have one or two roots",
    );
    const differs = "the list of shards differs from the proof";
    const none = serializeBoc(beginCell().storeUint(0, 1).endCell());
    expect(await check({ data: none })).toBe(differs);
    const other = serializeBoc(beginCell().storeUint(1, 1).storeRef(Cell.empty).endCell());
    expect(await check({ data: other })).toBe(differs);
  });

  test("the description of a shard", async () => {
    const query = { id: last.id, workchain: 0, shard: wholeShard, exact: true, proof };
    const answer = await api.getShardInfo(query);
    const check = (more: Partial<typeof answer>, request: object = {}) =>
      reasonOf(() => verifyShardInfo({ ...query, ...request }, { ...answer, ...more }));
    expect(verifyShardInfo(query, answer)).toBe(true);
    expect(await check({ shardblk: otherHashes(answer.shardblk) })).toMatch(/ with other hashes, not about/);
    expect(await check({ shardDescr: serializeBoc(Cell.empty) })).toMatch(
      /^wrong description of the shard: 96a296d2\w+ instead of /,
    );
    expect(await check({ id: sample.first })).toMatch(/^the answer is about/);
    const absent = { ...query, workchain: 7 };
    const none = await api.getShardInfo(absent);
    expect(verifyShardInfo(absent, none)).toBe(false);
    for (const lie of [{ shardblk: answer.shardblk }, { shardDescr: answer.shardDescr }])
      expect(await check({ ...none, ...lie }, absent)).toBe(
        "the answer describes a shard that does not exist",
      );
  });

  test("links to a block of a shard", async () => {
    const { block } = recent;
    const { masterchainId, links } = await api.getShardBlockProof({ id: block });
    const check = (more: typeof links, to = block) =>
      reasonOf(() => verifyShardLinks(masterchainId, to, more));
    expect(await check(links)).toBe("nothing was refused");
    expect(await check([])).toBe(`the answer is about ${named(masterchainId)}, not about ${named(block)}`);
    const [first] = links as [(typeof links)[0]];
    const strange = { ...first, id: otherHashes(first.id) };
    expect(await check([strange, ...links.slice(1)])).toBe(
      `${named(masterchainId)} does not lead to ${named(strange.id)} with these hashes`,
    );
    const nowhere = { ...first, id: { ...first.id, workchain: 5 } };
    expect(await check([nowhere])).toBe(
      `${named(masterchainId)} does not lead to ${named(nowhere.id)} with these hashes`,
    );
    expect(await check(new Array(9).fill(first))).toBe("too many links: 9");
    expect(await check(new Array(8).fill(first))).not.toMatch(/too many/);
  });

  test("a block that was looked up", async () => {
    const mcBlockId = last.id;
    const { block } = recent;
    const by = async (request: object, id = block) => {
      const query = { id, mcBlockId, ...request };
      return { query, answer: await api.lookupBlockWithProof(query) };
    };
    const check = ({ query, answer }: Awaited<ReturnType<typeof by>>, request: object, more: object = {}) =>
      reasonOf(() => verifyLookup({ ...query, ...request }, { ...answer, ...more }));
    const bySeqno = await by({ bySeqno: true });
    expect(await check(bySeqno, {})).toBe("nothing was refused");
    expect(await check(bySeqno, { id: { ...block, seqno: block.seqno + 1 } })).toBe(
      `block ${block.seqno} instead of ${block.seqno + 1}`,
    );
    expect(await check(bySeqno, { id: { ...block, workchain: 1 } })).toBe(
      `${named(block)} is not of the shard asked for`,
    );
    const half = { ...block, shard: 1n << 62n };
    expect(await check(bySeqno, { id: { ...block, shard: 0xc000000000000000n } }, { id: half })).toBe(
      `${named(half)} is not of the shard asked for`,
    );
    const byLt = await by({ lt: recent.lt });
    expect(await check(byLt, {})).toBe("nothing was refused");
    expect(await check(byLt, { lt: 1n << 50n })).toBe(
      `lt ${1n << 50n} is not in block ${byLt.answer.id.seqno}`,
    );
    expect(await check(byLt, { lt: 1n })).toBe(`lt 1 is not in block ${byLt.answer.id.seqno}`);
    const { genUtime } = provenHeader(last.id, wholeProof(last.root)).info;
    const byTime = await by({ utime: genUtime }, last.id);
    expect(await check(byTime, {})).toBe("nothing was refused");
    expect(await check(byTime, { utime: genUtime + 1000 })).toBe(
      `utime ${genUtime + 1000} is not in block ${byTime.answer.id.seqno}`,
    );
    expect(await check(byTime, { utime: 1 })).toBe(`utime 1 is not in block ${byTime.answer.id.seqno}`);
    const future = { ...last.id, seqno: last.id.seqno + 5 };
    const master = await by({ bySeqno: true }, { ...last.id, seqno: 2 });
    expect(await check(master, {})).toBe("nothing was refused");
    expect(await check(master, {}, { mcBlockId: future })).toMatch(
      new RegExp(
        `^\\(-1,8000000000000000,${last.id.seqno}\\) does not list \\(-1,8000000000000000,${future.seqno}\\)$`,
      ),
    );
    expect(await check(master, {}, { mcBlockId: otherHashes(master.answer.id) })).toMatch(
      / with other hashes, not about /,
    );
  });

  describe("a proof of a masterchain block", () => {
    const lead = (from: BlockIdExt, to: BlockIdExt) =>
      api.getBlockProof({ knownBlock: from, targetBlock: to });
    const check = (from: BlockIdExt, to: BlockIdExt | undefined, answer: PartialBlockProof) =>
      reasonOf(() => verifyBlockProof({ knownBlock: from, ...(to && { targetBlock: to }) }, answer));

    test("whose links do not fit", async () => {
      const { zero, last: to, first } = sample;
      const answer = await lead(zero, to);
      expect(await check(zero, to, answer)).toBe("nothing was refused");
      expect(await check(first, to, answer)).toMatch(/^the answer is about/);
      expect(await check(zero, to, { ...answer, complete: false, steps: [], to: zero })).toBe(
        "an incomplete proof has no links",
      );
      expect(await check(zero, to, { ...answer, complete: false })).toBe("`complete` of the proof is wrong");
      expect(await check(zero, undefined, { ...answer, complete: false })).toBe("nothing was refused");
      expect(await check(zero, to, { ...answer, to: first })).toMatch(/^the answer is about/);
      const [link] = answer.steps as [PartialBlockProof["steps"][0]];
      const shard = { ...link.to, workchain: 0 };
      expect(await check(zero, to, { ...answer, steps: [{ ...link, to: shard } as never] })).toBe(
        `${named(shard)} is not of the masterchain`,
      );
      const otherFlag = { ...link, toKeyBlock: !link.toKeyBlock };
      expect(await check(zero, to, { ...answer, steps: [otherFlag as never] })).toBe(
        `the key block flag of ${named(link.to)} is wrong`,
      );
    });

    test("that leads the other way", async () => {
      const { last: to, first } = sample;
      const back = await lead(to, first);
      expect(await check(to, first, back)).toBe("nothing was refused");
      const [link] = back.steps as [PartialBlockProof["steps"][0]];
      const turned = { ...link, from: first, to } as never;
      expect(await check(first, to, { complete: true, from: first, to, steps: [turned] })).toBe(
        "a link back leads forward",
      );
      const forward = await lead(sample.zero, to);
      const [step] = forward.steps as [PartialBlockProof["steps"][0]];
      const backward = { ...step, from: to, to: sample.zero } as never;
      expect(
        await check(to, sample.zero, { complete: true, from: to, to: sample.zero, steps: [backward] }),
      ).toBe("a link forward leads back");
    });

    test("from a block without validators", async () => {
      const plain = last;
      expect(await reasonOf(() => readSigners(plain.id, proofsOf(plain.root)))).toBe(
        `${named(plain.id)} is not a key block`,
      );
      const zero = { ...sample.zero, rootHash: strangeHash };
      expect(await reasonOf(() => readSigners(zero, proofsOf(plain.state)))).toBe(
        `the proof is not of the zero state: ${plain.state.hashHex()} instead of ${bytesToHex(strangeHash)}`,
      );
    });
  });

  test("the size of a queue, and the number of validators' records", async () => {
    const id = last.id;
    const size = await api.getBlockOutMsgQueueSize({ id, proof });
    expect(await reasonOf(() => verifyQueueSize({ id }, size))).toBe("nothing was refused");
    expect(await reasonOf(() => verifyQueueSize({ id }, { ...size, size: size.size + 1n }))).toBe(
      "wrong size of the queue",
    );
    const { proof: _, ...without } = size;
    expect(await reasonOf(() => verifyQueueSize({ id }, without))).toBe("the proof is missing");
    const query = { id, limit: 100, proof };
    const stats = await api.getValidatorStats(query);
    const check = (more: object) => reasonOf(() => verifyValidatorStats(query, { ...stats, ...more }));
    expect(await check({})).toBe("nothing was refused");
    for (const lie of [{ count: stats.count + 1 }, { complete: !stats.complete }])
      expect(await check(lie)).toBe("wrong number of records");
    expect(await check({ id: sample.first })).toMatch(/^the answer is about/);
  });
});
