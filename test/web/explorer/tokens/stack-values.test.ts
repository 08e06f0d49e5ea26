import { beginCell } from "@ton/core";
import { expect, it } from "vitest";
import type { StackItem } from "../../../../client/values/stack.js";
import { addressIn, numberIn } from "../../../../server/web/explorer/tokens/stack-values.js";
import { Address } from "../../../../shared/values/address.js";

it("values of another type than expected count as absent", () => {
  const boc = (bits: number) => beginCell().storeUint(0, bits).endCell().toBoc().toString("base64");
  const others: (StackItem | undefined)[] = [
    undefined,
    null,
    { slice: "no boc" },
    { cell: boc(2) },
    [],
    [7n],
  ];
  expect(others.map(addressIn)).toEqual(others.map(() => undefined));
  expect([7n, -1n].map(addressIn)).toEqual([undefined, undefined]);
  expect(others.map(numberIn)).toEqual(others.map(() => undefined));
  expect(numberIn(7n)).toBe(7n);
});

it("an address is read from a slice or a cell", () => {
  const raw = `-1:${"5a".repeat(32)}`;
  const { workchain, hash } = Address.read(raw)!.address;
  const boc = beginCell()
    .storeUint(4, 3)
    .storeInt(workchain, 8)
    .storeBuffer(Buffer.from(hash))
    .endCell()
    .toBoc()
    .toString("base64");
  expect([{ slice: boc }, { cell: boc }].map(addressIn)).toEqual([raw, raw]);
});
