import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { abiCommand } from "../../server/cli/abi.js";
import { readArtifacts } from "../../server/process/jobs/artifacts.js";
import { counterAbi } from "../helpers/abi/counter-contract.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** Runs `tonwire abi` on a folder with a counter and a malformed file, and returns what it prints. */
async function abi(...args: string[]): Promise<{ printed: string[]; errors: string[] }> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "counter.abi.json"), JSON.stringify(counterAbi()));
  writeFileSync(join(folder, "Counter.compiled.json"), JSON.stringify({ hash: "00".repeat(32), hex: "b5" }));
  writeFileSync(join(folder, "old.json"), JSON.stringify(tolkAbi({ abi_schema_version: "0.9" })));
  const printed: string[] = [];
  const errors: string[] = [];
  const command = abiCommand({
    env: {},
    print: (line) => void printed.push(line),
    printError: (line) => void errors.push(line),
    readArtifacts,
  });
  await command.parseAsync([...args, "--artifacts", folder], { from: "user" });
  return { printed, errors };
}

describe("tonwire abi", () => {
  test("list has contracts with their code hashes, and names files that are not used", async () => {
    const { printed, errors } = await abi("list");
    const hash = `${"A".repeat(43)}=`;
    expect(printed.map((line) => line.split(/ {2,}/))).toEqual([
      ["contract", "format", "trust", "code hash", "file"],
      ["Counter", "blueprint", "own", hash, "Counter.compiled.json"],
      ["Counter", "tolk", "own", hash, "counter.abi.json"],
    ]);
    expect(errors).toEqual(["tonwire: old.json is not used: the schema of an ABI is 1.0, not 0.9"]);
  });

  test("show has messages, storage, get-methods and errors in the words of Tolk", async () => {
    expect((await abi("show", "Counter")).printed.join("\n")).toBe(`contract Counter, tolk 1.4.2
code:
  AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
messages from outside:
  0x00000010 Add { by: uint32 }
storage:
  Storage { count: int32, owner: address, points: map<int32, coins> }
get-methods:
  77589 state(): Storage
  80727 mixed(flag: bool, point: Point, who: address?): (bool, Point, address?)
  79974 echo(point: Point?, any: Point | int | null): (Point?, Point | int | null)
  104735 points(): array<Point>
  92759 takes(items: array<Point?>, list: lisp_list<Point>): int
  118511 held(): Cell<Held>
  104915 reads(held: Cell<Held>): (int, string)
errors:
  1234 ERR_TOO_LARGE More than 1000 at once
  9`);
  });

  test("show refuses a contract without an ABI", async () => {
    await expect(abi("show", "Gone")).rejects.toThrow("there is no ABI of Gone");
  });
});
