import { describe, expect, test } from "vitest";
import { GivenFiles } from "../../server/artifacts/given-files.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { paidTurns } from "../../server/chain/paid-turns.js";
import { MadeTypes, tolkAbi } from "../helpers/abi/made-abi.js";

const abiOf = (contract: string) => JSON.stringify(tolkAbi({ contract_name: contract }));

/** A short text of an ABI with 16,320 messages. */
function wideAbi(contract: string): string {
  const types = new MadeTypes();
  const variant_ty_idx = types.struct("S", {});
  const variants = Array.from({ length: 255 }, (_, i) => ({ variant_ty_idx, prefix_num: i, prefix_len: 32 }));
  const body_ty_idx = types.type({ kind: "union", variants });
  const incoming_messages = Array.from({ length: 64 }, () => ({ body_ty_idx }));
  return JSON.stringify(types.abi({ contract_name: contract, incoming_messages }));
}

describe("files that calls give", () => {
  /** What the caller paid for, in turns. */
  function payer() {
    const paid: number[] = [];
    return { paid, turns: paidTurns({ spent: (ms) => paid.push(ms) }) };
  }

  test("are read once, each in a turn of its own", async () => {
    const files = new GivenFiles();
    const { paid, turns } = payer();
    const first = await files.read({ abi: abiOf("One") }, turns);
    expect(paid).toHaveLength(1);
    const second = await files.read({ abi: abiOf("One") }, turns);
    expect(second?.abis[0]?.artifact).toBe(first?.abis[0]?.artifact);
    expect(await files.read({}, turns)).toBeUndefined();
  });

  test("are paid for, too, if they are refused", async () => {
    const { paid, turns } = payer();
    await expect(new GivenFiles().read({ abi: '{"abi_schema_version":"0"}' }, turns)).rejects.toThrow(
      "abi is not used",
    );
    expect(paid).toHaveLength(1);
  });

  test("are kept by what they take in memory, not by the length of their texts", async () => {
    const files = new GivenFiles();
    const { turns } = payer();
    const read = async (abi: string) => (await files.read({ abi }, turns))?.abis[0]?.artifact;
    const [small, wide] = [await read(abiOf("Small")), await read(wideAbi("Wide"))];
    for (let i = 0; i < 10; i++) await read(abiOf(`Small ${i}`));
    expect(await read(wideAbi("Wide"))).toBe(wide);
    expect(await read(abiOf("Small"))).toBe(small);
    for (let i = 0; i < 10; i++) await read(wideAbi(`Wide ${i}`));
    expect(await read(wideAbi("Wide"))).not.toBe(wide);
  });
});

test("changes of other processes are made in their order, and what a key adds meanwhile stays", async () => {
  const store = new ArtifactStore();
  const added = store.apply({ owner: "ann", files: [{ file: "a", content: abiOf("A") }] }, paidTurns());
  const refused = store.apply({ owner: "ann", files: [{ file: "b", content: "?" }] }, paidTurns());
  const removed = store.apply({ owner: "ann", removed: "a" }, paidTurns());
  const own = store.add("ann", [{ file: "c", content: abiOf("C") }], paidTurns());
  await expect(refused).rejects.toThrow("b is not used");
  await Promise.all([added, removed, own]);
  expect(store.addedBy("ann").map(({ file }) => file)).toEqual(["c"]);
});
