import { beforeAll, describe, expect, it } from "vitest";
import { Executor } from "../../../server/chain/executor/executor.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { TransactionRequest } from "../../../shared/ton/run/account-request.js";
import type { MethodRequest } from "../../../shared/ton/run/method-request.js";
import { maxConfigCells, readableConfig } from "../../../shared/ton/run/readable-config.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { SizeLimitsConfig } from "../../../shared/ton/tlb/config/size-limits.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { augustConfig, paramOf, withParam, withVersion } from "../../helpers/chain/august-configs.js";
import {
  account,
  activeAccount,
  bytesCell,
  internalMessage,
  testConfig,
} from "../../helpers/chain/sample-chain.js";
import { variants } from "../../helpers/effort.js";
import { describeWithChain } from "../../helpers/test-data.js";

let executor: Executor;

/** After the configurations of August 2026. */
const now = 1_788_000_000;
const randSeed = new Uint8Array(32).fill(7);
const readByExecutor = [0, 5, 8, 12, 14, 18, 19, 20, 21, 24, 25, 31, 43, 44, 45];
const wrong = beginCell().storeUint(0xabcdef, 24).endCell();

/** Runs a contract with this code, in hex, on a message. */
function transaction(config: Cell, code = "3030303030", data = Cell.empty): TransactionRequest {
  return {
    config,
    now,
    randSeed,
    lt: 5_000_000n,
    shardAccount: activeAccount({ code: bytesCell(code), data }),
    message: internalMessage({ value: 1_000_000_000n }),
  };
}

/** Reads a parameter by CONFIGOPTPARAM. */
function parameterAsked(config: Cell, number: number): MethodRequest {
  return {
    ...{ config, now, randSeed, address: account, balance: 5n, methodId: 0, data: Cell.empty },
    code: bytesCell("30F833"),
    stack: [{ type: "int", value: BigInt(number) }],
  };
}

function dataOf(root: Cell, code: string): Cell {
  const result = executor.runTransaction(transaction(root, code));
  if (result.outcome !== "done") throw new Error(result.reason);
  const description = decode(Transaction, result.transaction).description.value;
  if (!("computePh" in description) || description.computePh.kind !== "vm") throw new Error("nothing ran");
  expect(description.computePh.exitCode).toBe(0);
  const state = result.shardAccount.ref(0);
  // The account's data, its last reference.
  return state.refs.at(-1)!;
}

beforeAll(async () => {
  executor = await Executor.create();
});

describeWithChain("a configuration of August 2026", (chain) => {
  describe.each(variants(["mainnet"], ["testnet"]))("of %s", (network) => {
    const config = augustConfig(chain, network);

    it("differs for transactions in the parameter that the executor does not read", () => {
      const { root, adapted } = readableConfig(config, 13);
      expect(adapted).toEqual([43]);
      const { kind, ...limits } = decode(SizeLimitsConfig, paramOf(root, 43));
      const original = decode(SizeLimitsConfig, paramOf(config, 43));
      expect([kind, original.kind]).toEqual(["earlyV2", "v2"]);
      expect(original).toMatchObject(limits);
      expect(withParam(root, 43, paramOf(config, 43)).equals(config)).toBe(true);
    });

    it("is unchanged for an executor of the same version", () => {
      expect(readableConfig(config, 15)).toEqual({ root: config, adapted: [] });
    });

    it("runs transactions", () => {
      expect(executor.runTransaction(transaction(config)).outcome).toBe("done");
    });

    it("is passed unchanged to get-methods, and in readable form to transactions", () => {
      const { root } = readableConfig(config, 13);
      for (const number of [...readByExecutor, 34, 71].filter((each) => hasParam(config, each))) {
        const { stack } = executor.runMethod(parameterAsked(config, number));
        const [seen] = stack;
        expect(seen?.type === "cell" && seen.cell.equals(paramOf(config, number))).toBe(true);
        // DROP (5 times), PUSHINT number, CONFIGOPTPARAM, POP c4
        const pushed = `81${number.toString(16).padStart(4, "0")}`;
        expect(dataOf(config, `3030303030${pushed}F833ED54`).equals(paramOf(root, number))).toBe(true);
      }
    });

    it("runs transactions with the third form of its size limits", () => {
      const limits = decode(SizeLimitsConfig, paramOf(config, 43));
      if (limits.kind !== "v2") throw new Error("another form");
      const third = { ...limits, kind: "v3", maxTotalMsgBits: 5_242_880, maxTotalMsgCells: 20_480 } as const;
      const later = withParam(config, 43, encode(SizeLimitsConfig, third));
      expect(readableConfig(later, 13).root.equals(readableConfig(config, 13).root)).toBe(true);
      expect(executor.runTransaction(transaction(later)).outcome).toBe("done");
    });

    it("runs transactions with unknown fields after a known form", () => {
      for (const number of [21, 25, 43]) {
        const longer = beginCell().storeSlice(paramOf(config, number).parse()).storeUint(1, 5).endCell();
        const later = withParam(withVersion(config, 16), number, longer);
        expect(executor.runTransaction(transaction(later)).outcome).toBe("done");
      }
    });

    it("names parameter and versions if the form is unknown, while get-methods run", () => {
      const fourth = beginCell().storeUint(4, 8).storeUint(0, 400).endCell();
      const later = withParam(withVersion(config, 16), 43, fourth);
      expect(() => executor.runTransaction(transaction(later))).toThrow(
        /^The executor, of version 13, cannot use configuration parameter 43 of a network of version 16: /,
      );
      expect(executor.runMethod(parameterAsked(later, 43)).exitCode).toBe(0);
    });

    it.each(readByExecutor)("names parameter %d if it has another type", (number) => {
      const changed = withParam(config, number, wrong);
      const named = new RegExp(`configuration parameter ${number}(?: of [^:]*)?: `);
      expect(() => executor.runTransaction(transaction(changed))).toThrow(named);
      // A get-method reads few of them before it starts.
      if ([8, 12, 18, 31].includes(number))
        expect(() => executor.runMethod(parameterAsked(changed, 0))).toThrow(named);
      else expect(executor.runMethod(parameterAsked(changed, number)).exitCode).toBe(0);
      expect(executor.runTransaction(transaction(config)).outcome).toBe("done");
    });

    it.each([0, 18, 20, 21, 24, 25])("names parameter %d if it is missing", (number) => {
      const cut = withParam(config, number, undefined);
      expect(() => executor.runTransaction(transaction(cut))).toThrow(
        `cannot use configuration parameter ${number} of a network of version 15: it is missing`,
      );
    });

    it("names the largest parameter if it is too large", () => {
      const huge = withParam(config, -77, manyCells(maxConfigCells + 1));
      const text = `The configuration has more than ${maxConfigCells} cells; the largest part is parameter -77`;
      expect(() => executor.runTransaction(transaction(huge))).toThrow(text);
      expect(() => executor.runMethod(parameterAsked(huge, 0))).toThrow(text);
    });

    it("is refused if its dictionary is cut", () => {
      const edge = config.ref(0);
      const cut = Cell.of(
        config,
        config.refs.map((ref) => (ref === edge ? Cell.empty : ref)),
      );
      for (const run of [
        () => executor.runTransaction(transaction(cut)),
        () => executor.runMethod(parameterAsked(cut, 0)),
      ])
        expect(run).toThrow("The configuration cannot be read: ");
      expect(executor.runMethod(parameterAsked(config, 0)).exitCode).toBe(0);
    });
  });
});

it("a configuration that the executor reads is not changed", () => {
  expect(readableConfig(testConfig, 13)).toEqual({ root: testConfig, adapted: [] });
});

function hasParam(config: Cell, number: number): boolean {
  return decode(ConfigDictionary, config).has(number);
}

/** A tree of this many distinct cells. */
function manyCells(count: number): Cell {
  let level = Array.from({ length: Math.ceil(count / 2) }, (_, index) =>
    beginCell().storeUint(index, 32).endCell(),
  );
  while (level.length > 1) {
    const parents: Cell[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const builder = beginCell().storeUint(parents.length, 32).storeUint(level.length, 32);
      for (const child of level.slice(at, at + 2)) builder.storeRef(child);
      parents.push(builder.endCell());
    }
    level = parents;
  }
  return beginCell().storeRef(level[0]!).endCell();
}
