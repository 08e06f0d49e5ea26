import { describe, expect, it } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../../shared/ton/cells/cell.js";
import { shareUnchanged } from "../../../../../shared/ton/cells/merkle/share-unchanged.js";

const leaf = (value: number) => beginCell().storeUint(value, 13).endCell();
const fork = (value: number, ...refs: Cell[]) =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeUint(value, 9)).endCell();
const reread = (cell: Cell) => parseBocRoot(serializeBoc(cell));

describe("a tree with the cells of an earlier one", () => {
  const code = fork(1, fork(2, leaf(3)), leaf(4));
  const before = fork(5, code, leaf(6));

  it("has the cells that did not change, and keeps its hash", () => {
    const now = reread(fork(5, code, leaf(7)));
    const shared = shareUnchanged(now, before);
    expect(shared.ref(0)).toBe(code);
    expect(shared.ref(1).hashHex()).toBe(leaf(7).hashHex());
    expect(shared.hashHex()).toBe(now.hashHex());
  });

  it("is the earlier one if they are equal", () => {
    expect(shareUnchanged(reread(before), before)).toBe(before);
  });

  it("differs where the data, its length or the references differ", () => {
    for (const now of [
      fork(8, code, leaf(6)),
      fork(5, code),
      fork(5, code, leaf(6), leaf(6)),
      fork(5, leaf(6), code),
      beginCell().storeUint(10, 10).storeRef(code).storeRef(leaf(6)).endCell(),
    ])
      expect(shareUnchanged(reread(now), before).hashHex()).toBe(now.hashHex());
  });

  it("keeps exotic cells apart from ordinary ones with the same bits", () => {
    const bits = () => beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32));
    const [library, plain] = [bits().endExotic(), bits().endCell()];
    expect(shareUnchanged(reread(fork(1, library)), fork(1, plain)).ref(0).exotic).toBe(true);
    expect(shareUnchanged(reread(fork(1, plain)), fork(1, library)).ref(0).exotic).toBe(false);
    expect(shareUnchanged(reread(fork(2, library)), fork(1, library)).ref(0)).toBe(library);
  });

  it("ends where branches are shared without end", () => {
    const doubled = (end: Cell) => {
      let cell = end;
      for (let depth = 0; depth < 500; depth++) cell = fork(depth & 511, cell, cell);
      return cell;
    };
    const now = doubled(leaf(1));
    expect(shareUnchanged(reread(now), doubled(leaf(2))).hashHex()).toBe(now.hashHex());
  });
});
