import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

const top = fileURLToPath(new URL("../..", import.meta.url));

type ErrorClass = new (...parameters: unknown[]) => Error;

/** The error classes that files of the client and of shared/ export, by file. */
function exportedErrors(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const room of ["client", "shared"])
    for (const path of readdirSync(join(top, room), { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".ts") || path.includes("examples")) continue;
      const text = readFileSync(join(top, room, path), "utf8");
      const names = [...text.matchAll(/^export class (\w+) extends \w*Error\b/gm)].map(([, name]) => name!);
      if (names.length > 0) found.set(join(room, path), names);
    }
  return found;
}

describe("error classes in a minified build", () => {
  const files = exportedErrors();
  let classes: Record<string, ErrorClass>;
  let code: string;
  beforeAll(async () => {
    const contents = [...files].map(([path, names]) => `export { ${names} } from "./${path}";`).join("\n");
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: top, loader: "ts" },
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
    });
    code = outputFiles[0]!.text;
    const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
    classes = (await import(/* @vite-ignore */ url)) as typeof classes;
  });

  it("lose the names of their declarations, which would be shown", () => {
    expect(Object.keys(classes)).toEqual(
      expect.arrayContaining(["RpcError", "ProofError", "OtherNetwork", "TvmError"]),
    );
    for (const name of Object.keys(classes)) expect(code).not.toContain(`class ${name} `);
  });

  it.each([...files.values()].flat())("%s is shown by its name", (name) => {
    // Without what its constructor does, as parameters differ. Such an error has no frames.
    const error = Reflect.construct(Error, ["text"], classes[name]!) as Error;
    expect(error.name).toBe(name);
    expect(String(error)).toBe(`${name}: text`);
    // Browsers print the stack.
    expect(error.stack).toBe(`${name}: text`);
    // As `console.error` of Node does.
    expect(inspect(error)).toBe(`[${name}: text]`);
    expect(Object.keys(error)).toEqual([]);
  });

  it("are shown by their names with frames and causes", () => {
    const { ProofError, RpcError, CellError } = classes;
    const cause = new CellError!("proof", "no proof");
    expect(inspect(new ProofError!("wrong", {}, cause))).toMatch(
      /^ProofError: wrong\n {4}at .*\[cause\]: \[CellError: no proof\]/s,
    );
    expect(inspect(new RpcError!("conflict", "no", { cause }))).toMatch(
      /^RpcError: no\n.* {4}at .*cause: \[CellError: no proof\]/s,
    );
  });
});
