import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { TimeSlice } from "../../server/chain/time-slice.js";
import { layouts, readByLayout } from "../../server/contracts/standard-layouts.js";
import { contractCode } from "../../server/devnet/contracts/codes.js";
import { decodeBlock, openBlock } from "../../server/indexer/decode/decode-block.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { registeredShards } from "../../shared/ton/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../shared/ton/tlb/shard-state.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { ton } from "../helpers/chain/devnet.js";
import { sharedExecutor } from "../helpers/chain/shared-executor.js";
import { RecordedContracts } from "../helpers/contracts/recorded-contracts.js";
import { sized } from "../helpers/effort.js";
import { idOf, someAddress } from "../helpers/index/detection.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { type ChainData, describeWithChain } from "../helpers/test-data.js";

type State = { address: Address; code: Cell; data: Cell };

const methodsOf = ({ code }: State) =>
  Object.keys(layouts).filter((method) => bytesToBase64(code.hash()) in layouts[method]!);

/** The recorded states whose code is known, those after recorded blocks included. */
async function recordedStates(chain: ChainData, recorded: RecordedContracts): Promise<State[]> {
  const states = recorded.accounts
    .map((address) => recorded.contract(address))
    .filter((contract): contract is typeof contract & State => !!contract.code && !!contract.data);
  const codes = new Map(states.map(({ code }) => [code.hashHex(), code]));
  for (const entry of chain.where({ kind: "block", network: "mainnet" })) {
    const rootHash = Buffer.from(entry.rootHash!, "hex");
    const id = { workchain: 0, shard: 1n << 63n, seqno: 1, rootHash, fileHash: rootHash };
    const context = { id, mcSeqno: 1, globalVersion: 11, timeSlice: new TimeSlice() };
    const { accounts } = await decodeBlock(openBlock(entry.read()), context);
    for (const { address, code, data } of accounts.read) {
      const cell = code && (code.cell ?? codes.get(Buffer.from(code.hash).toString("hex")));
      if (cell && data?.cell) states.push({ address, code: cell, data: data.cell } as never);
    }
  }
  return states;
}

/** The states of all accounts of a devnet after its story. */
async function devnetStates(): Promise<State[]> {
  const { api, controls, close } = await sharedStory();
  onTestFinished(close);
  await controls.faucet(idOf(someAddress(9)), ton);
  const { last } = await api.getMasterchainInfo();
  const stateOf = async (id: BlockIdExt) =>
    decode(ShardStateUnsplit, parseBocRoot((await api.getState({ id })).data));
  const [basechain, ...others] = registeredShards((await stateOf(last)).custom!.value.shardHashes);
  expect(others).toEqual([]);
  const { workchain, shard, descr } = basechain!;
  const { seqno, rootHash, fileHash } = descr;
  const state = await stateOf({ workchain, shard, seqno, rootHash, fileHash });
  return [...state.accounts.value.entries()].flatMap(([id, { account }]) => {
    const stored = account.value?.storage.state;
    const init = stored?.kind === "active" ? stored.init : undefined;
    return init?.code && init.data ? [{ address: new Address(0, id), code: init.code, data: init.data }] : [];
  });
}

describeWithChain("A layout that is read directly", (chain) => {
  test("gives the get-method's result, on recorded and devnet states and on states with changed bits", async () => {
    const executor = await sharedExecutor();
    const recorded = new RecordedContracts(chain, {
      runMethod: async (request) => ({ ...executor.runMethod(request), cpuMs: 0 }),
    });
    const states = [...(await recordedStates(chain, recorded)), ...(await devnetStates())];
    const samples = new Map(
      states
        .filter((state) => methodsOf(state).length > 0)
        .map((state) => [bytesToBase64(state.code.hash()), state]),
    );
    for (const name of ["jetton wallet", "nft item"] as const)
      expect([...samples.keys()]).toContain(bytesToBase64(contractCode(name).hash()));

    let read = 0;
    const agree = async (state: State) => {
      for (const method of methodsOf(state)) {
        const stack = readByLayout(method, state.code, state.data);
        if (!stack) continue;
        read++;
        const outcome = await recorded.run(state, method);
        expect([outcome.exitCode, textOf(outcome.stack)]).toEqual([0, textOf(stack)]);
      }
    };
    for (const state of states) await agree(state);
    expect(read).toBeGreaterThan(samples.size);

    for (const state of samples.values())
      for (let place = 0; place < state.data.bits; place += sized(53, 1))
        await agree({ ...state, data: flipped(state.data, [place]) });

    const flips = fc.array(fc.nat(), { minLength: 2, maxLength: 3 });
    // By index, because a failure prints the drawn value, and the text of a tree of cells would exhaust the memory.
    const sample = fc.nat({ max: samples.size - 1 });
    await fc.assert(
      fc.asyncProperty(sample, flips, async (index, places) => {
        const state = [...samples.values()][index]!;
        await agree({ ...state, data: flipped(state.data, places) });
      }),
      { numRuns: sized(8, 150) },
    );
  });
});

function flipped(cell: Cell, places: readonly number[]): Cell {
  const bits = Array.from({ length: cell.bits }, () => false);
  const slice = cell.parse();
  for (let i = 0; i < cell.bits; i++) bits[i] = slice.loadBit();
  for (const place of places) bits[place % bits.length] = !bits[place % bits.length];
  const builder = beginCell();
  for (const bit of bits) builder.storeBit(bit);
  for (const ref of cell.refs) builder.storeRef(ref);
  return builder.endCell();
}

function textOf(stack: readonly StackValue[]): string[] {
  return stack.map((value) =>
    value.type === "int"
      ? `int ${value.value}`
      : `${value.type} ${"cell" in value ? value.cell.hashHex() : ""}`,
  );
}
