import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { type NavigationTree, classicTypeScript as ts } from "../helpers/classic-typescript.js";
import { sized } from "../helpers/effort.js";

// The hover texts of the client, from TypeScript's language service.

const client = fileURLToPath(new URL("../../dist/client/", import.meta.url));
const entries = [
  "node.d.ts",
  "methods.d.ts",
  "ton/index.d.ts",
  "values/index.d.ts",
  "watch/index.d.ts",
  "debug/index.d.ts",
  "devnet-wallet/index.d.ts",
].map((name) => join(client, name));

const { options } = ts.convertCompilerOptionsFromJson(
  { module: "nodenext", target: "es2022", lib: ["es2023", "dom"], strict: true, types: ["node"] },
  client,
);
const service = ts.createLanguageService({
  getScriptFileNames: () => entries,
  getScriptVersion: () => "1",
  getScriptSnapshot: (path: string) => ts.ScriptSnapshot.fromString(ts.sys.readFile(path) ?? ""),
  getCurrentDirectory: () => client,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  readFile: ts.sys.readFile,
  fileExists: ts.sys.fileExists,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** The text of the documentation shown at a place in a file. */
function documentationAt(path: string, at: number): string {
  return ts.displayPartsToString(service.getQuickInfoAtPosition(path, at)?.documentation ?? []);
}

/** All, or every twentieth of hundreds outside the long run. */
function some<Item>(all: readonly Item[]): readonly Item[] {
  return all.length < 200 ? all : all.filter((_, index) => index % sized(20, 1) === 0);
}

const silent = new Set(["constructor", "index", "alias"]);

/** Names in a file that users can meet and that have no documentation. */
function undocumented(path: string): string[] {
  const visit = (item: NavigationTree, trail: string): string[] => {
    const name = trail ? `${trail}.${item.text}` : item.text;
    if (/^[#[]/.test(item.text) || /private/.test(item.kindModifiers)) return [];
    const inside = (item.childItems ?? []).flatMap((each) => visit(each, name));
    const shown = item.nameSpan && !silent.has(item.kind);
    return shown && documentationAt(path, item.nameSpan.start) === "" ? [name, ...inside] : inside;
  };
  // Members of object types, which the tree does not have.
  const types = [...ts.sys.readFile(path)!.matchAll(/^export type [^\n]*\{\n.*?^\}/gms)];
  const members = some(types).flatMap((type) =>
    [...type[0].matchAll(/^( {4}(?:readonly )?)([\w$]+)\??[:(]/gm)]
      .filter(({ index, 1: before }) => documentationAt(path, type.index + index + before!.length) === "")
      .map(([member]) => `${type[0].split("\n")[0]} ${member.trim()}`),
  );
  const declared = service.getNavigationTree(path).childItems ?? [];
  const exported = declared.filter(({ kindModifiers }) => /export/.test(kindModifiers));
  return [...new Set([...some(exported).flatMap((each) => visit(each, "")), ...members])];
}

/** Declaration files inside the client that the entries import. */
function files(): string[] {
  const found = new Set<string>();
  const follow = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, target] of (ts.sys.readFile(path) ?? "").matchAll(/from "(\.[^"]*)\.js"/g))
      follow(join(path, "..", `${target}.d.ts`));
  };
  entries.forEach(follow);
  return [...found];
}

describe("hover documentation", () => {
  it.each(files().map((path) => [path.slice(client.length), path]))(
    "has a text for every name of %s",
    (_, path) => {
      expect(undocumented(path)).toEqual([]);
    },
  );

  it("describes each method", () => {
    const path = join(client, "methods.d.ts");
    const shown = (service.getNavigationTree(path).childItems ?? [])
      .filter(({ nameSpan }) => nameSpan !== undefined)
      .map(({ nameSpan }) => documentationAt(path, nameSpan!.start));
    const summaries = flatten(registry).map(([, { summary }]) => summary);
    expect(summaries.filter((summary) => !shown.some((text) => text.startsWith(summary)))).toEqual([]);
  });
});
