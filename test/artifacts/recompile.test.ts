import { symlinkSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { CompilerProcess } from "../../server/artifacts/recompile/compiler-process.js";
import { recompile } from "../../server/artifacts/recompile/recompile.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { compile } from "../helpers/contracts/tolk.js";
import { funcCounter, funcCounterCode } from "../helpers/debug/func-counter.js";
import { projectWith } from "../helpers/debug/project.js";

const tolk = "@ton/tolk-js";
const func = "@ton-community/func-js";
const counter = Object.fromEntries(
  funcCounter.snapshot.map(({ filename, content }) => [
    `contracts/${filename}`,
    filename === "counter.fc" ? `#include "stdlib.fc";\n${content}` : content,
  ]),
);
const counterHash = bytesToBase64(funcCounterCode.hash());
const keeper = `import "./shared/words"\nfun onInternalMessage(in: InMessage) { throw WORD + 1; }`;
const words = "const WORD = 77;";
const broken = "fun onInternalMessage(in: InMessage) { nonsense() }";

describe("a project's contract is found by the code that its own compiler makes", () => {
  it("from FunC, with its lines", async () => {
    const folder = projectWith(counter, [func]);
    const { found, failures } = await recompile(folder, [counterHash]);
    expect(failures).toEqual([]);
    expect(found).toMatchObject({
      compiler: expect.stringMatching(/^@ton-community\/func-js \d+\.\d+/),
      artifact: { file: "contracts/counter.fc", codeHashes: [counterHash], map: { format: "func" } },
    });
  });

  it("from Tolk with imports, beside one that does not compile", async () => {
    const source = "fun onInternalMessage(in: InMessage) { throw 77; }";
    const folder = projectWith(
      { "a.tolk": broken, "keeper/b.tolk": keeper, "keeper/shared/words.tolk": words, "c.tolk": source },
      [tolk],
    );
    const wanted = bytesToBase64((await compile(source)).hash());
    const { found } = await recompile(folder, [wanted]);
    expect(found).toMatchObject({ artifact: { file: "c.tolk", contract: "c", map: undefined } });
    const none = await recompile(folder, [counterHash]);
    expect(none).toMatchObject({
      found: undefined,
      compiled: 2,
      failures: [expect.stringMatching(/^a\.tolk: .*nonsense/s)],
    });
  });

  it("only by a compiler that is installed there, and only of a project with contracts", async () => {
    const message = `has no compiler: install ${tolk} or ${func} there`;
    await expect(recompile(projectWith(counter, []), [counterHash])).rejects.toThrow(message);
    await expect(recompile(projectWith({ "a.ts": "main()" }, []), [])).rejects.toThrow("has no contract");
    await expect(recompile("/nowhere", [])).rejects.toThrow("cannot be read");
  });

  it("beside contracts whose compiler is missing", async () => {
    const { failures } = await recompile(projectWith({ ...counter, "b.tolk": broken }, [func]), []);
    expect(failures).toEqual(["no compiler of tolk is installed there"]);
  });
});

describe("a compiler of a project", () => {
  /** What a compiler of this code answers for a file. */
  async function answerOf(body: string, withinMs = 60_000, prepare: (folder: string) => void = () => {}) {
    const folder = projectWith(
      { "compiler.cjs": `exports.runTolkCompiler = async ({ fsReadCallback }) => { ${body} };` },
      [],
    );
    prepare(folder);
    const compilers = new CompilerProcess(folder);
    onTestFinished(() => compilers.close());
    const asked = { language: "tolk", module: `${folder}/compiler.cjs`, file: "a.tolk" } as const;
    return compilers.compile(asked, withinMs);
  }

  it("sees no environment, and no file outside of the project", async () => {
    process.env["SECRET_OF_TEST"] = "1";
    onTestFinished(() => void delete process.env["SECRET_OF_TEST"]);
    expect(await answerOf(`return { status: "error", message: Object.keys(process.env).join() };`)).toEqual({
      failure: expect.not.stringContaining("SECRET"),
    });
    expect(await answerOf(`return { status: "ok", text: fsReadCallback("../../etc/passwd") };`)).toEqual({
      failure: expect.stringContaining("../../etc/passwd is outside of the project"),
    });
  });

  it("sees no file outside of the project by a link, and files inside of it", async () => {
    const read = (file: string, target: string) =>
      answerOf(`return { status: "error", message: fsReadCallback("${file}") };`, undefined, (folder) =>
        symlinkSync(target, `${folder}/${file}`),
      );
    expect(await read("a.tolk", "/etc/passwd")).toEqual({
      failure: expect.stringContaining("a.tolk is outside of the project"),
    });
    expect(await read("b.tolk", "compiler.cjs")).toEqual({
      failure: expect.stringContaining("fsReadCallback"),
    });
  });

  it("is ended when it takes too long, and refused too much memory and output", async () => {
    expect(await answerOf("for (;;);", 300)).toEqual({ failure: "it took more than 1 s" });
    expect(await answerOf("new WebAssembly.Memory({ initial: 20_000 })")).toEqual({
      failure: expect.stringContaining("RangeError"),
    });
    expect(await answerOf(`return { status: "ok", text: "x".repeat(20 << 20) };`)).toEqual({
      failure: "its output has more than 16 MiB",
    });
    expect(await answerOf("process.exit(3)")).toEqual({
      failure: "its compiler has ended, or took too much memory",
    });
  });
});
