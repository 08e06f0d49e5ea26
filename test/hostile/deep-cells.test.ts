import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { Address } from "../../shared/values/address.js";
import { flipBit } from "../helpers/chain/flipped-bits.js";
import { bocText, place, testAddress } from "../helpers/contracts/contracts.js";
import { isLong, sized, variants } from "../helpers/effort.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// A tree of cells is at most 1024 deep, blocks and states included. Cells made by callers and contracts must leave room
// for the cells above them, now and when the state has grown.

let service: DevnetService;
/** The chain whose path to the account `one` is long; in the long run, as long as can be. */
let grown: string;
beforeAll(async () => {
  service = await sharedService("empty");
  await growDictionary();
  await service.mine();
  grown = (await service.run<{ id: string }>("devnet.snapshot")).id;
});
afterEach(() => service.run("devnet.revert", { id: grown }));
afterAll(() => service.close());

const [one, other] = [testAddress("1"), testAddress("2")];
const hashOf = (address: string) => Buffer.from(address.slice(2), "hex");
const ton = 1_000_000_000n;

/** A chain of cells. */
function nested(depth: number): Cell {
  let cell = Cell.empty;
  for (let level = 0; level < depth; level++) cell = beginCell().storeRef(cell).endCell();
  return cell;
}

/** A tree below this many Merkle proofs. */
function proven(merkleCells: number): Cell {
  let cell = nested(2);
  for (let level = 0; level < merkleCells; level++)
    cell = beginCell()
      .storeUint(3, 8)
      .storeBytes(cell.hash(0))
      .storeUint(cell.depth(0), 16)
      .storeRef(cell)
      .endExotic();
  return cell;
}

/** `fixed_prefix_length, special: nothing; code: present; data, library: nothing` */
const initWith = (code: Cell) => beginCell().storeUint(0b00100, 5).storeRef(code).endCell();

const inputs: [method: string, param: string, params: (cell: Cell) => object][] = [
  ["devnet.setCode", "code", (cell) => ({ address: one, code: bocText(cell) })],
  ["devnet.setData", "data", (cell) => ({ address: one, data: bocText(cell) })],
  [
    "devnet.impersonate",
    "body",
    (cell) => ({ from: other, to: one, value: "1000000000", bounce: false, body: bocText(cell) }),
  ],
  [
    "devnet.impersonate",
    "state_init",
    (cell) => ({
      from: other,
      to: one,
      value: "1000000000",
      bounce: false,
      state_init: bocText(initWith(cell.ref(0))),
    }),
  ],
];

async function refusal(method: string, params: object): Promise<unknown> {
  const { error } = (await service.rpc(method, params)) as {
    error: { code: number; message: string; data: { code: number } };
  };
  return [error.data.code, error.code, error.message];
}

/** Adds an account for each length of a prefix shared with `one`, or for some, which makes the path to it long. */
async function growDictionary(): Promise<void> {
  for (let bit = 0; bit < 256; bit += sized(8, 1)) {
    const neighbour = flipBit(hashOf(one), bit);
    await service.run("devnet.setBalance", { address: new Address(0, neighbour).toRaw(), balance: "1" });
  }
}

describe.each(variants(inputs.slice(0, 1), inputs.slice(1)))("%s with a deep %s", (method, param, params) => {
  it.each([513, 1018, 1023])("is refused with %i levels", async (depth) => {
    const text = `${param} is too deep: at most 512 levels of cells`;
    expect(await refusal(method, params(nested(depth)))).toEqual([422, -32602, text]);
    await service.mine();
  });

  it("is accepted with 512 levels, and the chain goes on however large its state has grown", async () => {
    await service.run(method, params(nested(512)));
    await service.run("devnet.impersonate", { from: other, to: one, value: "1000000000", bounce: false });
    await service.mine();
  });

  it("is refused with three Merkle cells inside each other, and accepted with two", async () => {
    const below = (cell: Cell) => params(beginCell().storeRef(cell).endCell());
    expect(await refusal(method, below(proven(3)))).toEqual([
      422,
      -32602,
      `${param} nests too many Merkle cells: at most 2`,
    ]);
    await service.run(method, below(proven(2)));
    await service.run("devnet.impersonate", { from: other, to: one, value: "1000000000", bounce: false });
    await service.mine();
  });
});

it("an exotic body, which contracts cannot send, is refused", async () => {
  const params = { from: other, to: one, value: "1", body: bocText(proven(1)) };
  expect(await refusal("devnet.impersonate", params)).toEqual([422, -32602, "body is not an ordinary cell"]);
});

/**
 * Takes a number from the message's body and nests that many cells: SETCP0 DROP; 16 LDU; DROP; NEWC ENDC; SWAP; <{ NEWC
 * STREF ENDC }> PUSHCONT REPEAT
 */
const nest = "FF0030 D30F 30 C8C9 01 93C8CCC9 E4";
/** NEWC STSLICE STREF ENDC; 1 INT; SENDRAWMSG: sends the header in the code's reference, with the cell as last reference. */
const sendBelowHeader = "89 C8CE CC C9 71 FB00";

/** `int_msg_info$0`, up to `init` and `body`, with one TON. */
function messageTo(address: string) {
  return beginCell()
    .storeUint(0b010000, 6)
    .storeUint(0b100, 3)
    .storeUint(0, 8)
    .storeBytes(hashOf(address))
    .storeCoins(ton)
    .storeBit(false)
    .storeCoins(0n)
    .storeCoins(0n)
    .storeUint(0, 64 + 32);
}

const bodyInRef = messageTo(other).storeUint(0b01, 2).endCell();
const initInRef = messageTo(other).storeUint(0b110, 3).endCell();

function contract(hex: string, ...refs: Cell[]): Cell {
  const code = beginCell().storeBytes(Buffer.from(hex.replaceAll(" ", ""), "hex"));
  for (const ref of refs) code.storeRef(ref);
  return code.endCell();
}

describe("a contract that nests cells without end", () => {
  it.each<[what: string, code: Cell, most: number]>(
    variants(
      [["its data (POP c4)", contract(`${nest} ED54`), 512]],
      [
        ["a message's body", contract(`${nest} ${sendBelowHeader}`, bodyInRef), 510],
        ["its code (SETCODE)", contract(`${nest} FB04`), 511],
        ["a public library (SETLIBCODE)", contract(`${nest} 72 FB06`), 511],
        ["a message's init", contract(`${nest} ${sendBelowHeader}`, initInRef), 510],
      ],
    ),
  )("in %s fails above the limit, and blocks are made as before", async (_, code, most) => {
    const depths = [[most, 0], [most + 1, 8], ...(isLong ? [[1000, 8] as const] : [])] as const;
    for (const [depth, exitCode] of depths) {
      await place(service, { address: one, code, balance: `${100n * ton}` });
      const body = bocText(beginCell().storeUint(depth, 16).endCell());
      const params = { from: other, to: one, value: `${10n * ton}`, bounce: true, body };
      const { tx_hash: hash } = await service.run<{ tx_hash: string }>("devnet.impersonate", params);
      const { exit_code } = await service.run<{ exit_code: number }>("devnet.transactionLog", { hash });
      expect([depth, exit_code]).toEqual([depth, exitCode]);
      await service.mine(2);
    }
  });

  it.runIf(isLong)("with a level more in each message to itself, ends at the limit", async () => {
    // NEWC STSLICE ENDC: the body as a cell; then a message with that cell below its body.
    const code = contract(
      "FF0030 C8CEC9 C8CCC9 89 C8CE CC C9 8040 FB00",
      messageTo(one).storeUint(0b01, 2).endCell(),
    );
    await place(service, { address: one, code, balance: `${1000n * ton}` });
    await service.run("devnet.impersonate", { from: other, to: one, value: `${ton}`, bounce: false });
    await service.mine(3);
    const [last] = await service.run<{ transaction_id: { hash: string } }[]>("getTransactions", {
      address: one,
    });
    const { hash } = last!.transaction_id;
    const { exit_code } = await service.run<{ exit_code: number }>("devnet.transactionLog", { hash });
    expect(exit_code).toBe(8);
    expect(await service.run("getAddressState", { address: one })).toBe("active");
  });
});
