import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MadeTypes } from "../helpers/abi/made-abi.js";
import { type Counter, counterAbi, counterAddress, startCounter } from "../helpers/debug/counter-runs.js";
import { Editor } from "../helpers/debug/editor.js";
import { funcCounter, lineOf } from "../helpers/debug/func-counter.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** A service that knows nothing of the counter. */
let counter: Counter;
beforeAll(async () => {
  counter = await startCounter({ isKnown: false });
});
afterAll(() => counter.close());

async function launched(args: object): Promise<Editor> {
  const editor = await Editor.open(counter.service);
  await editor.launch({ transaction: counter.transactions.loops, stopOn: "entry", ...args });
  return editor;
}

describe("files of a launch", () => {
  it("give lines, variables and the text of the source by their map", async () => {
    const editor = await launched({ sourceMap: funcCounter, network: "devnet" });
    const breakpoints = [{ line: lineOf("i += twice(i) + 1"), condition: "i == 1" }];
    await editor.client.setBreakpointsRequest({ source: { name: "counter.fc" }, breakpoints });
    await editor.move("continue");
    const [top] = await editor.frames();
    expect(top).toMatchObject({ name: "recv_internal", line: lineOf("i += twice(i) + 1") });
    expect(await editor.value("i")).toBe("1");
    const { sourceReference } = top!.source!;
    const text = await editor.client.sourceRequest({ sourceReference: sourceReference! });
    expect(text.body.content).toContain("i += twice(i) + 1");
    expect((await launched({})).output.join("")).not.toContain("counter.fc");
  });

  it("give names of the storage and types for decode by their ABI, also as a path", async () => {
    const path = join(temporaryFolder(), "counter.abi.json");
    writeFileSync(path, counterAbi("sum"));
    for (const abi of [path, counterAbi("sum")]) {
      const editor = await launched({ abi });
      expect(await editor.value("storage.sum")).toMatch(/^\d+$/);
      expect(await editor.value("decode(c4, Storage).sum == storage.sum")).toBe("true");
      expect(await editor.value('decode(c4, "uint32") == storage.sum')).toBe("true");
      expect(await editor.value("decode(c4.boc, Storage)")).toBe(await editor.value("storage"));
    }
  });

  it("are for the contract of the code that they have in a trace, and are refused without it", async () => {
    const { transactions } = await counter.service.run<{ transactions: { trace_id: string }[] }>(
      "v3.transactions",
      { hash: [counter.transactions.fails] },
    );
    const asked = { transaction: undefined, trace: transactions[0]!.trace_id, stopOn: "failure" };
    const editor = await launched({ ...asked, sourceMap: funcCounter, abi: counterAbi("sum") });
    expect((await editor.frames())[0]).toMatchObject({ line: lineOf("throw(1000 + n)") });
    expect(await editor.value("storage.sum")).toMatch(/^\d+$/);
    await expect(launched({ ...asked, abi: counterAbi() })).rejects.toThrow("need a file with the code");
  });

  it("are for a get-method too", async () => {
    const getMethod = { address: counterAddress, method: "total" };
    const files = { sourceMap: funcCounter, abi: counterAbi("sum") };
    const editor = await launched({ transaction: undefined, getMethod, ...files });
    await editor.client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "twice" }] });
    expect(await editor.move("continue")).toMatchObject({ reason: "function breakpoint" });
    expect(await editor.value("storage.sum")).toMatch(/^\d+$/);
  });

  it("are not used for another code, and the user sees why", async () => {
    const { transactions } = await counter.service.run<{ transactions: { hash: string }[] }>(
      "v3.transactions",
      { account: ["Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF"], limit: 1 },
    );
    const editor = await launched({ transaction: transactions[0]!.hash, sourceMap: funcCounter });
    expect(editor.output.join("")).toContain("a source map is not used: ");
  });

  it("are refused as parameters of methods if they are not what they should be", async () => {
    const hash = counter.transactions.loops;
    for (const [files, text] of [
      [{ abi: "{}" }, "abi is not used: its format is not known"],
      [{ abi: JSON.stringify(funcCounter) }, "abi is not used: the file has no ABI"],
      [{ source_map: counterAbi() }, "source_map is not used: the file has no source map"],
    ] as const)
      await expect(counter.service.run("v3.debug.transaction", { hash, ...files })).rejects.toThrow(text);
  });
});

describe("decode", () => {
  it("names what is wrong, and reads a bounded number of cells", async () => {
    const editor = await launched({ abi: counterAbi() });
    for (const [expression, text] of [
      ["decode(c4, Order)", "the ABI has no type Order"],
      ["decode(step, Storage)", "decode reads cells, slices and builders"],
      ["decode(c5.cell, Storage)", "the cell does not fit the type Storage"],
      ["decode(c4 Storage)", "the expression lacks ,"],
      [Array(5).fill("decode(c4, Storage).total == 1").join(" || "), "may have decode 4 times"],
      ["other(c4, Storage)", "nothing is called other here"],
      ["gas(1)", "has ( where it should end"],
    ] as const)
      await expect(editor.value(expression)).rejects.toThrow(text);
    const types = new MadeTypes();
    types.struct("Endless", { self: types.types.length });
    const hostile = await launched({ abi: types.abi({ contract_name: "counter" }) });
    await expect(hostile.value("decode(c4, Endless)")).rejects.toThrow("does not fit the type Endless");
    const unknown = await launched({});
    await expect(unknown.value("decode(c4, Storage)")).rejects.toThrow("no ABI of the contract is known");
  });
});
