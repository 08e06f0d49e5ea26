import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TypedContract } from "../../client/contract/index.js";
import { literal } from "../../server/artifacts/typescript/names.js";
import { writeTypes } from "../../server/process/jobs/types.js";
import { boxAbi } from "../helpers/abi/box-contract.js";
import { counterAbi } from "../helpers/abi/counter-contract.js";
import { loadProgram, programFor } from "../helpers/abi/load-program.js";
import { MadeTypes, tolkAbi } from "../helpers/abi/made-abi.js";
import { RandomTypes } from "../helpers/abi/random-types.js";
import { tactCounter } from "../helpers/abi/tact-counter.js";
import { compilerErrors } from "../helpers/compiler-errors.js";
import { sized } from "../helpers/effort.js";
import { pseudoRandom } from "../helpers/pseudo-random.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** A name that ends comments and texts, and is no identifier. */
const hostile = `*/ "\`\${process.exit(1)}\` \u202e\n__proto__`;

function hostileAbi() {
  const types = new MadeTypes();
  const int = types.type({ kind: "int" });
  const self = types.type({ kind: "AliasRef", alias_name: hostile });
  types.declarations.push({ kind: "alias", name: hostile, target_ty_idx: self });
  const members = ["class", "constructor", hostile, "then"];
  const body = types.struct("export", Object.fromEntries(members.map((name) => [name, int])), {
    num: 1,
    len: 32,
  });
  const cyclic = types.struct(`${hostile}2`, { self });
  for (const declaration of types.declarations as { fields?: { description?: string }[] }[])
    for (const field of declaration.fields ?? []) field.description = hostile;
  return types.abi({
    contract_name: hostile,
    compiler_version: hostile,
    incoming_messages: [{ body_ty_idx: body }, { body_ty_idx: cyclic }],
    thrown_errors: [{ err_code: -5, name: hostile, description: hostile }],
    get_methods: ["__proto__", "then", hostile].map((name, i) => ({
      name,
      description: hostile,
      tvm_method_id: i,
      parameters: [{ name: hostile, ty_idx: int, default_value: { kind: "int", v: hostile } }],
      return_ty_idx: self,
    })),
  });
}

describe("tonwire types", () => {
  test("writes types and a definition, in the order of the ABI", () => {
    const types = new MadeTypes();
    const by = types.type({ kind: "uintN", n: 32 });
    const add = types.struct("Add", { by }, { num: 0x7e8764ef, len: 32 });
    const [increase] = types.declarations as [{ fields: { description?: string }[] }];
    increase.fields[0]!.description = "How much.";
    const owner = types.type({ kind: "address" });
    const abi = types.abi({
      contract_name: "Counter",
      incoming_messages: [{ body_ty_idx: add }],
      storage: { storage_ty_idx: types.struct("Storage", { total: by, owner }) },
      thrown_errors: [
        { kind: "constant", name: "ERR_TOO_LARGE", err_code: 1234, description: "At most 1000." },
      ],
      get_methods: [
        {
          name: "total",
          tvm_method_id: 70_000,
          return_ty_idx: by,
          description: "The sum.",
          parameters: [{ name: "plus", ty_idx: by, default_value: { kind: "int", v: "1" } }],
        },
      ],
    });
    expect(programFor(abi)).toMatchInlineSnapshot(`
      "// Written by \`tonwire types\`: write it again instead of changing it.

      /** An account, in any form; it is read as raw. */
      export type Address = string;

      /** A bag of cells in base64. */
      export type Boc = string;

      // Counter, tolk 1.4.2, from 0.abi.json

      export type Storage = {
        total: bigint;
        owner: Address;
      };

      export type Add = {
        /** How much. */
        by: bigint;
      };

      export type CounterTypes = {
        incoming: {
          Add: Add;
        };
        external: {};
        outgoing: {};
        events: {};
        storage: Storage;
        get: {
          /** The sum. */
          total: (args: { plus?: bigint }) => bigint;
        };
      };

      export const counter = {
        contract: "Counter",
        opcodes: {
          Add: 0x7e8764ef,
        },
        errors: {
          1234: { name: "ERR_TOO_LARGE", description: "At most 1000." },
        },
        types: {} as CounterTypes,
        abi: {
          format: 1,
          messages: { incoming: [0], external: [], outgoing: [], events: [] },
          storage: [1],
          types: [
            { kind: "struct", name: "Add", arguments: [] },
            { kind: "struct", name: "Storage", arguments: [] },
            { kind: "uintN", n: 32 },
            { kind: "address" },
          ],
          declarations: [
            { kind: "struct", name: "Add", prefix: { num: 0x7e8764efn, len: 32 }, cells: [[{ name: "by", type: 2 }]] },
            { kind: "struct", name: "Storage", cells: [[{ name: "total", type: 2 }, { name: "owner", type: 3 }]] },
          ],
          instances: [],
          getMethods: [
            { name: "total", id: 70000, parameters: [{ name: "plus", type: 2, fallback: { json: "1" } }], returns: 2 },
          ],
        },
      } as const;
      "
    `);
  });

  test("writes the same for the same ABI, wherever its file is", async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()].map((folder) =>
      join(folder, "counter.abi.json"),
    );
    for (const file of [one!, other!]) writeFileSync(file, JSON.stringify(counterAbi()));
    expect(await writeTypes([one!])).toBe(await writeTypes([other!]));
  });

  test("refuses files without an ABI, by their names", async () => {
    const file = join(temporaryFolder(), "other.json");
    writeFileSync(file, "{}");
    await expect(writeTypes([file])).rejects.toThrow(`${file} is not used: it has no ABI of Tolk or Tact`);
    await expect(writeTypes(["none.json"])).rejects.toThrow("none.json is not used: ENOENT");
  });

  test("reads catalogues, and packages of Tact", async () => {
    const folder = temporaryFolder();
    const catalogue = join(folder, "catalogue.json");
    const contracts = [{ id: "box", displayName: "Box of mine", hashes: [], compilerAbi: boxAbi() }];
    writeFileSync(catalogue, JSON.stringify({ schemaVersion: 1, contracts }));
    const tact = join(folder, "Counter.pkg");
    const compiler = { name: "tact", version: "1.6.0" };
    const code = "te6ccgEBAQEAAgAAAA==";
    writeFileSync(tact, JSON.stringify({ abi: JSON.stringify(tactCounter), code, compiler }));
    const program = await loadProgram(await writeTypes([catalogue, tact]));
    expect(Object.keys(program)).toEqual(["box_of_mine", "counter"]);
  });

  test("refuses types that would fill a disk", () => {
    const types = new MadeTypes();
    let type = types.type({ kind: "int" });
    for (let depth = 0; depth < 40; depth++)
      type = types.type({ kind: "tensor", items_ty_idx: [type, type] });
    const abi = types.abi({ storage: { storage_ty_idx: type } });
    expect(() => programFor(abi)).toThrow("the types are too large for a program");
  });
});

test("programs compile under strict options, and values have the types that are written", async () => {
  const files: Record<string, string> = {
    counter: programFor(counterAbi()),
    box: programFor(boxAbi()),
    tact: programFor(tactCounter),
    hostile: programFor(hostileAbi()),
    both: programFor(counterAbi(), counterAbi(), boxAbi()),
    empty: programFor(tolkAbi()),
  };
  for (let seed = 0; seed < sized(60, 1000); seed++) {
    const random = pseudoRandom(seed);
    const types = new RandomTypes((bound) => Math.floor(random.next().value * bound));
    const { index, value } = types.any(3);
    const storage = types.struct("Storage", { value: index });
    const program = programFor(types.abi({ storage: { storage_ty_idx: storage } }));
    const { made } = await loadProgram(program);
    const contract = new TypedContract(made!);
    const data = ifFits(() => contract.encodeStorage({ value: value() }));
    if (data === undefined) continue;
    const read = contract.decodeStorage(data);
    expect(contract.encodeStorage(read)).toBe(data);
    files[`random${seed}`] = `${program}\nexport const value: MadeTypes["storage"] = ${literal(read)};\n`;
  }
  files["use"] = `
import { TypedContract } from "tonwire/contract";
import { contractWrapper, TonClient } from "tonwire/ton";
import { createClient, http } from "tonwire";
import { Address, type Sender } from "@ton/core";
import { counter, type Storage } from "./counter.js";
import { box } from "./box.js";
import { counter as tact } from "./tact.js";

const counters = new TypedContract(counter);
const client = createClient({ transport: http("/jsonRPC") });
export const body: string = counters.encode("Add", { by: 5n });
export const opcode: 0x10 = counter.opcodes.Add;
export const error: "ERR_TOO_LARGE" = counter.errors[1234].name;
const read = counters.decode(body);
export const by: bigint | undefined = read?.message === "Add" ? read.fields.by : undefined;
const at = counters.at(client, "0:00");
export const state: Storage = await at.get.state();
export const mixed: readonly [boolean, { x: bigint; y: bigint }, string | null] =
  await at.get.mixed({ flag: true, point: { x: 1n, y: 2n }, who: null });
export const color = new TypedContract(box).encodeArguments("turned", { shape: [1n, true], color: "Blue" });
export const added = new TypedContract(tact).decode(body)?.message satisfies "Add" | "Added" | undefined;
const opened = new TonClient({ client }).open(contractWrapper(counters, Address.parse("")));
export const points: readonly { x: bigint }[] = await opened.getPoints();
await opened.sendExternalAdd({ by: 1n });
declare const via: Sender;
await new TonClient({ client }).open(contractWrapper(new TypedContract(tact), Address.parse(""))).sendAdd(via, { value: 1n }, { amount: 1n, note: null });
// @ts-expect-error: an amount is a bigint
counters.encode("Add", { by: "5" });
// @ts-expect-error: there is no such message
counters.encode("Ad", { by: 5n });
// @ts-expect-error: a point is missing
at.get.mixed({ flag: true, who: null });
// @ts-expect-error: there is no such color
new TypedContract(box).encodeArguments("turned", { shape: [1n, true], color: "Green" });
`;
  expect(await compilerErrors(files)).toBe("");
});

/** Random fields may need more than a cell has, and items of random arrays none of it. */
function ifFits(write: () => string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof TypeError && /a cell has at most|without bits/.test(error.message)) return undefined;
    throw error;
  }
}
