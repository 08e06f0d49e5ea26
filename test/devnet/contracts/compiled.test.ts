import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ContractName, contractCode } from "../../../server/devnet/contracts/codes.js";
import { compiledContracts } from "../../../server/devnet/contracts/compiled.js";
import { compileFile } from "../../helpers/contracts/tolk.js";

const folder = join(import.meta.dirname, "../../../server/devnet/contracts");
const sources = readdirSync(folder).filter((name) => name.endsWith(".tolk"));

describe("the devnet's own contracts", () => {
  it("are those whose source is in the folder", () => {
    expect(
      Object.keys(compiledContracts)
        .map((name) => `${name}.tolk`)
        .sort(),
    ).toEqual(sources.sort());
  });

  it.each(sources)("has the code that %s compiles to", async (source) => {
    const name = source.replace(".tolk", "") as ContractName & keyof typeof compiledContracts;
    const code = await compileFile(source, (path) => readFileSync(join(folder, path), "utf8"));
    expect(code.hashHex()).toBe(compiledContracts[name].hash);
    expect(contractCode(name).hashHex()).toBe(compiledContracts[name].hash);
  });
});
