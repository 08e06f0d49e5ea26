import { beginCell, Address as CoreAddress, type Cell as CoreCell } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromNano, hash, lt, nano, type StackItem, stack, toNano } from "../../client/index.js";
import {
  addressOf,
  cellHash,
  explainExitCode,
  formatAddress,
  formatUnits,
  parseAddress,
  parseUnits,
  sameAddress,
} from "../../client/values/index.js";

const friendly = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const raw = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("values", () => {
  it("count amounts and logical times exactly", () => {
    expect([nano("18446744073709551617"), nano(5), nano("-1"), lt("52334500000002")]).toEqual([
      18446744073709551617n,
      5n,
      -1n,
      52334500000002n,
    ]);
    for (const wrong of ["", " 1", "1.5", "0x10", "abc", "1n"]) expect(() => nano(wrong)).toThrow(TypeError);
    for (const wrong of [1.5, 2 ** 53, Number.NaN]) expect(() => lt(wrong)).toThrow("is not a logical time");
  });

  it("turn TON into nanotons and back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }), (n) => toNano(fromNano(n)) === n),
    );
    expect([toNano("1.5"), toNano("0.000000001"), toNano("7"), toNano("-2.50")]).toEqual([
      1500000000n,
      1n,
      7000000000n,
      -2500000000n,
    ]);
    expect([fromNano(1500000000n), fromNano(1n), fromNano(0n), fromNano(-1000000000n)]).toEqual([
      "1.5",
      "0.000000001",
      "0",
      "-1",
    ]);
    for (const wrong of ["", ".5", "1.", "1.0000000001", "1e3", "1,5"])
      expect(() => toNano(wrong)).toThrow(TypeError);
  });

  it("read hashes in every form", () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        const text = hash(bytes);
        const forms = [
          text,
          text.replaceAll("+", "-").replaceAll("/", "_"),
          Buffer.from(bytes).toString("hex"),
        ];
        expect(forms.map((form) => hash(form))).toEqual([bytes, bytes, bytes]);
      }),
    );
    for (const wrong of ["", "abcd", "g".repeat(64), "A".repeat(48)])
      expect(() => hash(wrong)).toThrow("is not a hash");
  });

  it("convert amounts of tokens with any decimals, there and back", () => {
    const decimals = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }), decimals, (units, count) => {
        expect(parseUnits(formatUnits(units, count), count)).toBe(units);
        expect(formatUnits(String(units), String(count))).toBe(formatUnits(units, count));
      }),
    );
    expect([formatUnits(1_500_000n, 6), formatUnits("1500000", "6"), formatUnits(-5n, 2)]).toEqual([
      "1.5",
      "1.5",
      "-0.05",
    ]);
    expect([formatUnits(7n, 0), formatUnits(0n, 9), parseUnits("-0.05", 2), parseUnits("7", 0)]).toEqual([
      "7",
      "0",
      -5n,
      7n,
    ]);
    for (const wrong of ["", ".5", "1.", "1.234", "1e3", "1,5", " 1", "--1"])
      expect(() => parseUnits(wrong, 2)).toThrow(`${wrong} is not an amount of a token`);
    for (const wrong of [-1, 1.5, 256, Number.NaN, "", "x"])
      expect(() => formatUnits(1n, wrong)).toThrow(`${wrong} is not a number of decimals`);
    expect(() => formatUnits("1.5", 2)).toThrow("1.5 is not an amount");
  });

  it("explain exit codes", () => {
    expect([
      explainExitCode({ code: -14 }),
      explainExitCode({ code: 33 }),
      explainExitCode({ code: 33, phase: "action" }),
      explainExitCode({ code: 136, contract: "wallet_v5r1" }),
    ]).toEqual([
      { name: "out-of-gas", text: "Out of gas." },
      undefined,
      { name: "too-many-actions", text: "Too many actions." },
      { name: "expired", text: "The message has expired." },
    ]);
  });
});

const anyAddress = fc
  .tuple(fc.integer({ min: -128, max: 127 }), bytes32)
  .map(([workchain, id]) => new CoreAddress(workchain, Buffer.from(id)));

describe("addresses", () => {
  it("are the same in every form", () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, fc.boolean(), (one, other, bounceable) => {
        const forms = [one.toRawString(), one.toRawString().toUpperCase(), one.toString({ bounceable })];
        for (const form of forms) {
          expect(sameAddress(form, forms[0]!)).toBe(true);
          expect(sameAddress(parseAddress(form).address, forms[2]!)).toBe(true);
          expect(sameAddress(form, other.toString())).toBe(one.equals(other));
        }
      }),
    );
    expect(() => sameAddress(raw, "nonsense")).toThrow("nonsense is not an address");
  });

  it("are written and read as @ton/core does it", () => {
    fc.assert(
      fc.property(
        anyAddress,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (one, bounceable, testOnly, urlSafe) => {
          const text = one.toString({ bounceable, testOnly, urlSafe });
          expect(formatAddress(one.toRawString(), { bounceable, testOnly, urlSafe })).toBe(text);
          expect(formatAddress(text, { raw: true })).toBe(one.toRawString());
          expect(parseAddress(text)).toMatchObject({ bounceable, testOnly, form: "friendly" });
        },
      ),
    );
  });

  it("are refused with the reason", () => {
    const mistyped = friendly.replace("D39", "D38");
    expect(() => parseAddress(mistyped)).toThrow(`${mistyped} is not an address: its checksum is wrong`);
    for (const wrong of ["", "0:83df", `5000:${raw.slice(2)}`, `${friendly}A`])
      expect(() => formatAddress(wrong)).toThrow(new TypeError(`${wrong} is not an address`));
  });
});

const anyCell = fc.letrec<{ cell: CoreCell }>((tie) => ({
  cell: fc
    .tuple(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.oneof({ depthSize: "small" }, fc.constant([]), fc.array(tie("cell"), { maxLength: 4 })),
    )
    .map(([bits, refs]) => {
      const builder = beginCell();
      for (const bit of bits) builder.storeBit(bit);
      for (const ref of refs) builder.storeRef(ref);
      return builder.endCell();
    }),
})).cell;

describe("cells of a stack", () => {
  it("have the hashes that @ton/core computes", async () => {
    await fc.assert(
      fc.asyncProperty(anyCell, async (one) => {
        expect(await cellHash({ cell: one.toBoc().toString("base64") })).toBe(one.hash().toString("base64"));
      }),
    );
    const library = beginCell().storeUint(2, 8).storeUint(7, 256).endCell({ exotic: true });
    expect(await cellHash({ slice: library.toBoc().toString("base64") })).toBe(
      library.hash().toString("base64"),
    );
    await expect(cellHash(5n)).rejects.toThrow("the value is neither a cell nor a slice");
    await expect(cellHash([])).rejects.toThrow("the value is neither a cell nor a slice");
  });

  it("are read as addresses", () => {
    fc.assert(
      fc.property(anyAddress, (one) => {
        const slice = beginCell().storeAddress(one).endCell().toBoc().toString("base64");
        expect(addressOf({ slice })!.toRaw()).toBe(one.toRawString());
      }),
    );
    const none = beginCell().storeAddress(null).endCell().toBoc().toString("base64");
    expect([addressOf({ cell: none }), addressOf(null)]).toEqual([null, null]);
    expect(() => addressOf({ cell: "te6cckEBAQEAAgAAAEysuc0=" })).toThrow("the value is not an address");
    expect(() => addressOf(undefined)).toThrow("the value is neither a cell nor a slice");
  });
});

const boc = fc.constant("te6cckEBAQEAAgAAAEysuc0=");
const { item } = fc.letrec<{ item: StackItem }>((tie) => ({
  item: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }),
    fc.constant(null),
    boc.map((cell) => ({ cell })),
    boc.map((slice) => ({ slice })),
    fc.array(tie("item"), { maxLength: 4 }),
    fc.array(tie("item"), { minLength: 1, maxLength: 4 }).map((list) => ({ list })),
  ),
}));

describe("stacks", () => {
  it("come back from the typed form as they were", () => {
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(stack.decode(stack.encodeStd(items))).toEqual(items);
      }),
    );
  });

  it("come back from the legacy form as they were", () => {
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(stack.decode(stack.encode(items))).toEqual(items);
      }),
    );
  });

  it("are written as every service understands them", () => {
    expect(
      stack.encode([31n, -31n, null, { cell: "c" }, { slice: "s" }, { builder: "b" }, [1n], { list: [2n] }]),
    ).toEqual([
      ["num", "0x1f"],
      ["num", "-0x1f"],
      ["list", { "@type": "tvm.list", elements: [] }],
      ["tvm.Cell", "c"],
      ["tvm.Slice", "s"],
      ["tvm.Builder", "b"],
      [
        "tuple",
        {
          "@type": "tvm.tuple",
          elements: [
            { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "1" } },
          ],
        },
      ],
      [
        "list",
        {
          "@type": "tvm.list",
          elements: [
            { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "2" } },
          ],
        },
      ],
    ]);
    expect(() => stack.encodeStd([{ builder: "b" }])).toThrow("runGetMethodStd takes no builder");
    expect(() => stack.encode([{ unsupported: true }])).toThrow(TypeError);
  });

  it("are read in all forms that services answer with", () => {
    const object = { data: { b64: "", len: 0 }, refs: [], special: false };
    expect(
      stack.decode([
        ["num", "0x1f"],
        ["num", "-0x1f"],
        ["num", "31"],
        ["cell", { bytes: "c", object }],
        ["slice", { bytes: "s" }],
        ["builder", { bytes: "b" }],
        ["null", null],
        ["null"],
        ["list", { "@type": "tvm.list", elements: [] }],
        ["unsupported", ""],
        { "@type": "tvm.stackEntryUnsupported" },
        { type: "num", value: "-0x1" },
        { type: "cell", value: "c" },
        { type: "slice", value: "s" },
        {
          type: "tuple",
          value: [
            { type: "num", value: "0x2" },
            { type: "null", value: null },
          ],
        },
        { type: "list", value: [] },
        { type: "null" },
      ]),
    ).toEqual([
      31n,
      -31n,
      31n,
      { cell: "c" },
      { slice: "s" },
      { builder: "b" },
      null,
      null,
      null,
      { unsupported: true },
      { unsupported: true },
      -1n,
      { cell: "c" },
      { slice: "s" },
      [2n, null],
      null,
      null,
    ]);
  });

  it("that no service would send are refused in words", () => {
    const wrong = [
      null,
      5,
      "x",
      [],
      ["num"],
      ["num", "NaN"],
      ["num", {}],
      ["cell"],
      ["cell", 5],
      ["tuple", 5],
      ["list", { elements: 5 }],
      ["what", "1"],
      {},
    ];
    for (const each of wrong) expect(() => stack.decode([each])).toThrow(TypeError);
    let deep: unknown = ["num", "1"];
    for (let depth = 0; depth < 5000; depth++) deep = ["tuple", [deep]];
    expect(() => stack.decode([deep])).toThrow("the stack is nested deeper than 1024");
  });
});
