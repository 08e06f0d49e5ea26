import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractCode } from "../../server/devnet/contracts/codes.js";
import type { StackEntry } from "../../shared/schema/v2/stack.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { bocText, codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { sized } from "../helpers/effort.js";
import { openSocket } from "../helpers/http/socket.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { until } from "../helpers/until.js";

const elector = testAddress("3", -1);
const echo = testAddress("1");
const nobody = testAddress("2");
const wallet = testAddress("3");
const nester = testAddress("4");
const pusher = testAddress("5");
const endless = testAddress("6");
const bomb = testAddress("7");
const repeater = testAddress("8");
const contextReader = testAddress("9");
const repeating = testAddress("b");
const lister = testAddress("c");
const doubler = testAddress("d");

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
  // SETCP0 DROP: leaves the arguments.
  await place(service, { address: echo, code: codeOf("FF0030") });
  const walletData = beginCell().storeUint(7, 32).storeUint(698983191, 32).storeBytes(new Uint8Array(32));
  await place(service, { address: wallet, code: contractCode("wallet v3 r2"), data: walletData.endCell() });
  // DROP, then repeated by the argument: wraps the top of the stack, at first an empty tuple, in a tuple.
  await place(service, { address: nester, code: codeOf("306F0001926F01E4") });
  // DROP, then repeated by the argument: pushes 1.
  await place(service, { address: pusher, code: codeOf("309171E4") });
  // PUSHCONT {} AGAIN
  await place(service, { address: endless, code: codeOf("90EA") });
  // DROP, then pushes the data.
  await place(service, { address: bomb, code: codeOf("30ED44"), data: doubled(40) });
  // DROP, then repeated by the argument: pushes the data.
  await place(service, { address: repeater, code: codeOf("3092ED44E4"), data: wide(3000) });
  // DROP DUP
  await place(service, { address: repeating, code: codeOf("3020") });
  // DROP NULL SWAP, then repeated by the argument: wraps 1 and the top of the stack in a pair.
  await place(service, { address: lister, code: codeOf("306D019471016F02E4") });
  // DROP 1 SWAP, then repeated by the argument: wraps the top of the stack twice in a pair.
  await place(service, { address: doubler, code: codeOf("30710193206F02E4") });
  // DROP NOW BALANCE MYADDR, the global id, PREVMCBLOCKS
  await place(service, {
    address: contextReader,
    code: codeOf("30F823F827F828F835F83400"),
    balance: "12345",
  });
});
afterAll(() => service.close());

/** A tree of 2^levels cells whose equal subtrees are shared: few distinct cells. */
function doubled(levels: number): Cell {
  let cell = beginCell().storeUint(5, 8).endCell();
  for (let i = 0; i < levels; i++) cell = beginCell().storeUint(i, 8).storeRef(cell).storeRef(cell).endCell();
  return cell;
}

/** A tree of this many distinct leaves, a bit over 100 bytes each. */
function wide(count: number): Cell {
  let cells = Array.from({ length: count }, (_, i) => beginCell().storeUint(i, 800).endCell());
  while (cells.length > 1) {
    const parents: Cell[] = [];
    for (let i = 0; i < cells.length; i += 4) {
      const parent = beginCell();
      for (const cell of cells.slice(i, i + 4)) parent.storeRef(cell);
      parents.push(parent.endCell());
    }
    cells = parents;
  }
  return cells[0]!;
}

type Refusal = { error: string; code: number };
type RunResult = {
  gas_used: number;
  stack: unknown[];
  exit_code: number;
  block_id: unknown;
  last_transaction_id: unknown;
};

const run = (address: string, method: string | number, stack: unknown[] = [], more: object = {}) =>
  service.run<RunResult>("runGetMethod", { address, method, stack, ...more });
const runStd = (address: string, stack: unknown[]) =>
  service.run<RunResult>("runGetMethodStd", { address, method: "echo", stack });
const legacyEcho = async (...stack: unknown[]) => (await run(echo, "echo", stack)).stack;

/** The error of a call. */
async function refusal(method: string, params: Record<string, unknown>) {
  const { error, code } = (await service.post(`/api/v2/${method}`, params)).json as Refusal;
  return { error, code };
}
const refusedStack = (...stack: unknown[]) =>
  refusal("runGetMethod", { address: echo, method: "echo", stack });

const hex = (value: bigint) => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`);
const number = (value: bigint): StackEntry => ({
  "@type": "tvm.stackEntryNumber",
  number: { "@type": "tvm.numberDecimal", number: value.toString() },
});
const list = (...elements: StackEntry[]): StackEntry => ({
  "@type": "tvm.stackEntryList",
  list: { "@type": "tvm.list", elements },
});
const tuple = (...elements: StackEntry[]): StackEntry => ({
  "@type": "tvm.stackEntryTuple",
  tuple: { "@type": "tvm.tuple", elements },
});
const cellEntry = (cell: Cell): StackEntry => ({
  "@type": "tvm.stackEntryCell",
  cell: { "@type": "tvm.cell", bytes: bocText(cell) },
});
const sliceEntry = (cell: Cell): StackEntry => ({
  "@type": "tvm.stackEntrySlice",
  slice: { "@type": "tvm.slice", bytes: bocText(cell) },
});

describe("runGetMethod", () => {
  describe("arguments and results in pairs", () => {
    it("show integers in hex", async () => {
      const given = [0n, 10n, -1n, 2n ** 255n, 2n ** 256n - 1n, -(2n ** 256n)].map((value) => [
        "num",
        value.toString(),
      ]);
      expect(await legacyEcho(...given)).toEqual([
        ["num", "0x0"],
        ["num", "0xa"],
        ["num", "-0x1"],
        ["num", `0x8${"0".repeat(63)}`],
        ["num", `0x${"f".repeat(64)}`],
        ["num", `-0x1${"0".repeat(64)}`],
      ]);
    });

    it("take integers in decimal and hex, as text and as numbers, under four names", async () => {
      const all = [
        ["num", "0x1f"],
        ["num", 31],
        ["int", "31"],
        ["number", "31"],
        ["integer", 31],
        ["num", "0X1F"],
      ];
      expect(await legacyEcho(...all)).toEqual(all.map(() => ["num", "0x1f"]));
      expect(await legacyEcho(["num", "-0x1"], ["num", -1], ["num", "-1"])).toEqual([
        ["num", "-0x1"],
        ["num", "-0x1"],
        ["num", "-0x1"],
      ]);
    });

    it("take JSON integers above 2^53 with every digit, over HTTP and WebSocket", async () => {
      const values = [1000000000000000001n, -9007199254740993n, 2n ** 256n - 1n, -(2n ** 256n)];
      const stack = `[${values.map((value) => `["num",${value}]`)}]`;
      const params = `{"address":"${echo}","method":"echo","stack":${stack}}`;
      const call = `{"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":${params}}`;
      const socket = await openSocket(service.url, { headers: { "X-API-Key": service.key } });
      socket.send(call);
      const answers = [
        await socket.next(),
        (await service.post("/api/v2/runGetMethod", params)).json,
        (await service.post("/api/v2/jsonRPC", call)).json,
        (await service.post("/jsonRPC", call)).json,
        ((await service.post("/jsonRPC", `[${call}]`)).json as unknown[])[0],
      ] as { result: RunResult }[];
      socket.close();
      const shown = values.map((value) => ["num", hex(value)]);
      expect(answers.map(({ result }) => result.stack)).toEqual(answers.map(() => shown));
    });

    it("refuse numbers that are no exact integers", async () => {
      const refused = async (number: string) => {
        const params = `{"address":"${echo}","method":"echo","stack":[["num",${number}]]}`;
        return ((await service.post("/api/v2/runGetMethod", params)).json as { error: string }).error;
      };
      expect(await refused(`${2n ** 256n}`)).toBe(`Invalid number: ${2n ** 256n}`);
      expect(await refused("1e23")).toBe("Invalid number: 1e+23");
      expect(await refused("9007199254740993.0")).toBe("Invalid number: 9007199254740992");
      expect(await refused("1e400")).toBe("Wrong type of number in stack entry");
    });

    it("take cells and slices as bags and as objects, and show both forms", async () => {
      const object = (b64: string, len: number, refs: unknown[] = []) => ({
        data: { b64, len },
        refs,
        special: false,
      });
      const cases = [
        ["te6cckEBAQEAAwAAAbCDvS7H", object("oA==", 3)],
        ["te6cckEBAQEAAgAAAEysuc0=", object("", 0)],
        ["te6cckEBAgEABwABAgABAAJJlcX+FQ==", object("AA==", 8, [object("SQ==", 8)])],
      ] as const;
      for (const [bytes, shown] of cases) {
        const answer = ["cell", { bytes, object: shown }];
        const given = [
          ["tvm.Cell", bytes],
          ["tvm.Slice", bytes],
          ["cell", { bytes }],
          ["slice", { bytes, object: { ignored: true } }],
          ["cell", shown],
          ["slice", JSON.stringify({ ...shown, special: undefined })],
        ];
        expect(await legacyEcho(...given)).toEqual(given.map(() => answer));
      }
    });

    it("distinguish null, lists and tuples", async () => {
      const group = (name: "tuple" | "list", elements: StackEntry[]) => [
        name,
        { "@type": `tvm.${name}`, elements },
      ];
      const [one, two] = [number(1n), number(2n)];
      expect(
        await legacyEcho(
          ["null", null],
          ["list", { elements: [] }],
          ["tvm.Tuple", { "@type": "tvm.tuple", elements: [one, tuple(two, list())] }],
          ["tvm.List", { "@type": "tvm.list", elements: [one, two] }],
          ["tuple", { elements: [one, two] }],
          ["tuple", { elements: [list()] }],
          ["tuple", { elements: [] }],
        ),
      ).toEqual([
        group("list", []),
        group("list", []),
        group("list", [one, two]),
        group("list", [one, two]),
        group("tuple", [one, two]),
        group("tuple", [list()]),
        group("tuple", []),
      ]);
    });

    it("take builders, which have no form in answers", async () => {
      expect(await legacyEcho(["tvm.Builder", "te6cckEBAQEAAgAAAEysuc0="], ["num", 1])).toEqual([
        ["unsupported", ""],
        ["num", "0x1"],
      ]);
    });

    it("show the slice of an address as the bag that was sent", async () => {
      const boc = "te6cckEBAQEAJAAAQ4AdotImDgoAjiL3MxasOxvQWmP38JIhna3Wv5Jc6QvfFPDusKko";
      expect(await legacyEcho(["tvm.Slice", boc])).toEqual([
        ["cell", expect.objectContaining({ bytes: boc })],
      ]);
    });

    it.each([
      ["text as number", ["num", "abc"], "Invalid number: abc"],
      ["hex without 0x", ["num", "1f"], "Invalid number: 1f"],
      ["too large an integer", ["num", (2n ** 256n).toString()], `Invalid number: ${2n ** 256n}`],
      ["a huge double", ["num", 1e300], "Invalid number: 1e+300"],
      ["a fraction", ["num", 1.5], "Wrong type of number in stack entry"],
      ["a number in an object", ["num", {}], "Wrong type of number in stack entry"],
      ["an entry of one element", ["num"], "Expected 2 elements in stack entry, got: 1"],
      ["an unknown type", ["foo", "1"], "Unsupported stack entry type: foo"],
      ["a member name of Object", ["constructor", "1"], "Unsupported stack entry type: constructor"],
      ["an empty cell", ["tvm.Cell", ""], "Empty tvm.Cell"],
      ["an empty slice", ["tvm.Slice", ""], "Empty tvm.Slice"],
      ["an empty cell in an object", ["cell", { bytes: "" }], "Empty cell"],
      ["an empty slice in an object", ["slice", { bytes: "" }], "Empty slice"],
      ["text that is no base64", ["tvm.Cell", "???"], "Invalid tvm.Cell, base64 string expected"],
      ["a number as slice", ["tvm.Slice", 5], "Invalid tvm.Slice, base64 string expected"],
      ["a number as cell object", ["cell", 5], "Invalid cell, object with field bytes expected"],
      ["text that is no JSON", ["slice", "{"], "Invalid slice, object with field bytes expected"],
      ["a tuple without elements", ["tuple", []], "Invalid tvm.Tuple, valid tvm_stackEntryTuple expected"],
      [
        "a pair inside a list",
        ["list", { elements: [["num", 1]] }],
        "Invalid tvm.List, valid tvm_stackEntryList expected",
      ],
      ["a number as type", [1, "1"], "Expected string as first element in stack entry"],
    ])("%s is refused: %j", async (_, entry, error) => {
      expect(await refusedStack(entry)).toEqual({ error, code: 422 });
    });

    it("refuse a bad bag of cells with the status that tonlib gives", async () => {
      for (const entry of [
        ["tvm.Cell", "AAAA"],
        ["cell", { data: { b64: "/w==", len: 8 }, refs: [], special: true }],
        ["cell", { data: { b64: "AA==", len: 8 }, refs: Array(5).fill({ data: { b64: "", len: 0 } }) }],
      ])
        expect(await refusedStack(entry)).toEqual({ error: "INVALID_BAG_OF_CELLS: stack", code: 500 });
    });
  });

  describe("the method", () => {
    it("is given by name or by number, in decimal or hex", async () => {
      const answers = [];
      for (const method of ["seqno", 85143, "85143", "0x14c97"]) answers.push(await run(wallet, method));
      expect(answers.map(({ exit_code, stack }) => [exit_code, stack])).toEqual(
        answers.map(() => [0, [["num", "0x7"]]]),
      );
      const ids = { get_public_key: 78748, get_subwallet_id: 81467, is_claimed: 122284, dnsresolve: 123660 };
      for (const [name, id] of Object.entries(ids))
        expect((await run(nobody, name)).stack).toEqual([["num", `0x${id.toString(16)}`]]);
    });

    it("ends with -13 on an account without code, and leaves arguments and method number", async () => {
      const { last } = await service.run<{ last: unknown }>("getMasterchainInfo");
      expect(await run(nobody, "seqno")).toEqual({
        "@type": "smc.runResult",
        gas_used: 0,
        stack: [["num", "0x14c97"]],
        exit_code: -13,
        block_id: last,
        last_transaction_id: {
          "@type": "internal.transactionId",
          lt: "0",
          hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        },
      });
      expect((await run(nobody, "seqno", [["num", 5]])).stack).toEqual([
        ["num", "0x5"],
        ["num", "0x14c97"],
      ]);
    });

    it("ends with 11 where the contract does not have it", async () => {
      expect((await run(elector, "no_such_method")).exit_code).toBe(11);
    });

    it("is refused when it is neither a name nor a number of 32 bits", async () => {
      for (const method of [1.5, 2 ** 31, "99999999999", {}, true])
        expect(await refusal("runGetMethod", { address: echo, method, stack: [] })).toEqual({
          error: "failed to parse post request: failed to parse method",
          code: 422,
        });
      expect(await refusal("runGetMethod", { address: echo, stack: [] })).toEqual({
        error: "failed to parse post request: method is required",
        code: 422,
      });
    });
  });

  describe("the context of a run", () => {
    it("has the account and its time, and the configuration and blocks of now", async () => {
      const seqno = await service.mine(2);
      const { stack, exit_code } = await run(contextReader, "look");
      const info = await service.run<{ sync_utime: number }>("getAddressInformation", {
        address: contextReader,
      });
      const { global_id } = await service.run<{ global_id: number }>("devnet.info");
      expect(exit_code).toBe(0);
      const [now, balance, , globalId, [, { elements: blocks }]] = stack as [
        unknown,
        unknown,
        unknown,
        unknown,
        [string, { elements: { tuple: { elements: unknown[] } }[] }],
      ];
      expect(now).toEqual(["num", `0x${info.sync_utime.toString(16)}`]);
      // Coins, and no extra currencies: a pair with null, so it looks like a list.
      expect(balance).toEqual(["list", { "@type": "tvm.list", elements: [number(12345n)] }]);
      expect(globalId).toEqual(["num", `-0x${(-global_id).toString(16)}`]);
      expect(blocks[0]!.tuple.elements[2]).toEqual(number(BigInt(seqno)));
    });

    it("has the account as of the block that seqno names", async () => {
      const before = await service.mine();
      await service.run("devnet.setData", { address: wallet, data: bocText(walletData(8)) });
      const seqno = async (at?: number) => (await run(wallet, "seqno", [], { seqno: at })).stack;
      expect(await seqno()).toEqual([["num", "0x8"]]);
      expect(await seqno(before)).toEqual([["num", "0x7"]]);
      expect(
        await refusal("runGetMethod", { address: wallet, method: "seqno", stack: [], seqno: 999999 }),
      ).toEqual({
        error: expect.stringContaining(
          "LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=999999",
        ),
        code: 500,
      });
    });

    function walletData(seqno: number): Cell {
      return beginCell().storeUint(seqno, 32).storeUint(1, 32).storeBytes(new Uint8Array(32)).endCell();
    }
  });

  describe("limits", () => {
    it("refuse more than 8000 arguments, nested ones counted", async () => {
      const many = Array(10_000).fill(["num", 1]);
      const error = "TVM stack input exceeds size limit";
      expect(await refusedStack(...many)).toEqual({ error, code: 422 });
      const nested = ["tuple", { elements: Array(8000).fill(number(1n)) }];
      expect(await refusedStack(nested)).toEqual({ error, code: 422 });
    });

    it("allow 8000 arguments, flat and as a list", async () => {
      const numbers = Array.from({ length: 8000 }, (_, index) => `0x${index.toString(16)}`);
      const flat = numbers.map((value) => ["num", value]);
      expect(await legacyEcho(...flat)).toEqual(flat);
      const elements = numbers.map((value) => number(BigInt(value)));
      const typed = [number(1n), list(...elements.slice(1))];
      expect((await runStd(echo, typed)).stack).toEqual(typed);
      const longer = ["list", { elements: Array(8001).fill(number(1n)) }];
      const error = "TVM stack input exceeds size limit";
      expect(await refusedStack(longer)).toEqual({ error, code: 422 });
    });

    it("allow 8000 values that a contract makes, flat and as a list", async () => {
      expect((await run(pusher, "x", [["num", 8000]])).stack).toHaveLength(8000);
      const [made] = (await run(lister, "x", [["num", 8000]])).stack as [["list", { elements: unknown[] }]];
      expect([made[0], made[1].elements]).toEqual(["list", Array(8000).fill(number(1n))]);
      const error = { error: "TVM stack size exceeds limit", code: 500 };
      for (const address of [pusher, lister])
        expect(await refusal("runGetMethod", { address, method: "x", stack: [["num", 8001]] })).toEqual(
          error,
        );
    });

    it("refuse a result that doubles with each step", async () => {
      for (const levels of [13, 30, 250])
        expect(
          await refusal("runGetMethod", { address: doubler, method: "x", stack: [["num", levels]] }),
        ).toEqual({ error: "TVM stack size exceeds limit", code: 500 });
      expect((await run(doubler, "x", [["num", 4]])).exit_code).toBe(0);
    });

    it("refuse a result nested 256 deep, and allow 255", async () => {
      expect((await run(nester, "x", [["num", 255]])).exit_code).toBe(0);
      const std = await service.run<RunResult>("runGetMethodStd", {
        address: nester,
        method: "x",
        stack: [number(255n)],
      });
      expect(std.exit_code).toBe(0);
      for (const depth of [256, 1000, 1100, 30_000])
        expect(
          await refusal("runGetMethod", { address: nester, method: "x", stack: [["num", depth]] }),
        ).toEqual(
          depth <= 1000
            ? { error: "Result stack depth >= 256", code: 533 }
            : { error: "TVM stack size exceeds limit", code: 500 },
        );
    });

    it("allow a result of 8000 values, those in tuples counted", async () => {
      const elements = Array(249).fill(number(5n));
      const tuples = Array(32).fill(["tuple", { "@type": "tvm.tuple", elements }]);
      expect((await run(echo, "echo", tuples)).stack).toEqual(tuples);
      expect(await refusal("runGetMethod", { address: repeating, method: "x", stack: tuples })).toEqual({
        error: "TVM stack size exceeds limit",
        code: 500,
      });
    });

    it("refuse a result of too many values or of too many bytes", async () => {
      const stack = [["num", 30_000]];
      const error = { error: "TVM stack size exceeds limit", code: 500 };
      expect(await refusal("runGetMethod", { address: pusher, method: "x", stack })).toEqual(error);
      expect(
        await refusal("runGetMethod", { address: repeater, method: "x", stack: [["num", 500]] }),
      ).toEqual(error);
      expect((await run(repeater, "x", [["num", 5]])).stack).toHaveLength(5);
    });

    it("answer a cell that would expand to a billion objects as a bag alone", async () => {
      const boc = bocText(doubled(40));
      expect((await run(bomb, "x")).stack).toEqual([["cell", { bytes: boc }]]);
      expect(await legacyEcho(["tvm.Cell", boc], ["tvm.Cell", "te6cckEBAQEAAwAAAbCDvS7H"])).toEqual([
        ["cell", { bytes: boc }],
        ["cell", { bytes: "te6cckEBAQEAAwAAAbCDvS7H", object: expect.any(Object) }],
      ]);
    });

    it("end an endless method when its gas is used up, while calls of others are answered", async () => {
      let attempt = 0;
      // One caller's runs occupy at most half of the threads.
      const anonymousEcho = (method: number) =>
        service.rpc("runGetMethod", { address: echo, method, stack: [] }, { key: null });
      // On a busy machine the run may end first once in a while; if it blocked other calls, it always would.
      await until("other calls are answered meanwhile", async () => {
        const order: string[] = [];
        // A new number each time avoids the cache.
        const [{ exit_code, gas_used }] = await Promise.all([
          run(endless, ++attempt).finally(() => order.push("endless")),
          service.run("getMasterchainInfo").finally(() => order.push("read")),
          anonymousEcho(attempt).finally(() => order.push("echo")),
        ]);
        expect([exit_code, gas_used > 1_000_000]).toEqual([-14, true]);
        return order.at(-1) === "endless";
      });
    });
  });
});

describe("runGetMethodStd", () => {
  const leaf = fc.oneof(
    fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }).map(number),
    fc.uint8Array({ maxLength: 127 }).map((bytes) => cellEntry(beginCell().storeBytes(bytes).endCell())),
    fc.nat(1023).map((bits) => sliceEntry(beginCell().storeUint(0n, bits).endCell())),
    fc.constant(list()),
  );
  const entry: fc.Arbitrary<StackEntry> = fc.letrec<{ entry: StackEntry }>((tie) => ({
    entry: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("entry"), { maxLength: 5 }).map((items) => asAnswered(items)),
      fc.array(tie("entry"), { minLength: 1, maxLength: 5 }).map((items) => list(...items)),
    ),
  })).entry;

  /** A pair whose second item is a list is one. */
  function asAnswered(items: StackEntry[]): StackEntry {
    const [first, second] = items;
    const isPair = items.length === 2 && second?.["@type"] === "tvm.stackEntryList";
    return isPair ? list(first!, ...second.list.elements) : tuple(...items);
  }

  it("returns arguments of every kind unchanged, nested ones included", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (stack) => {
        const { stack: left, exit_code } = await runStd(echo, stack);
        expect([exit_code, left]).toEqual([0, stack]);
      }),
      { numRuns: sized(12, 120) },
    );
  });

  it("refuses entries that are not typed, with the text of an unreadable parameter", async () => {
    for (const stack of [[["num", 1]], [{}], [{ "@type": "tvm.stackEntryNumber", number: 5 }], "x"])
      expect(await refusal("runGetMethodStd", { address: echo, method: "x", stack })).toEqual({
        error: "failed to parse post request: failed to parse stack",
        code: 422,
      });
    const stack = [{ "@type": "tvm.stackEntryUnsupported" }];
    expect(await refusal("runGetMethodStd", { address: echo, method: "x", stack })).toEqual({
      error: "Unsuppored stack entry",
      code: 500,
    });
  });
});
