import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type AnyDefinition, type Definitions, flatten } from "../../../shared/methods/define.js";
import { devnetMethods } from "../../../shared/methods/devnet.js";
import { blockMethods } from "../../../shared/methods/devnet-blocks.js";
import { electionMethods } from "../../../shared/methods/devnet-elections.js";
import { messageMethods } from "../../../shared/methods/devnet-messages.js";
import { setupMethods } from "../../../shared/methods/devnet-setup.js";
import { stateMethods } from "../../../shared/methods/devnet-state.js";
import { liteMethods } from "../../../shared/methods/lite.js";
import { registry } from "../../../shared/methods/registry.js";
import { rpcMethods } from "../../../shared/methods/rpc.js";
import { subscriptionMethods } from "../../../shared/methods/subscriptions.js";

const top = fileURLToPath(new URL("../../..", import.meta.url));
const textOf = (file: string) => (existsSync(join(top, file)) ? readFileSync(join(top, file), "utf8") : "");

type Version = "v2" | "v3" | "v4";
const groups: Record<Version, (stem: string) => Promise<Record<string, unknown>>> = {
  v2: (stem) => import(`../../../shared/methods/v2/${stem}.ts`),
  v3: (stem) => import(`../../../shared/methods/v3/${stem}.ts`),
  v4: (stem) => import(`../../../shared/methods/v4/${stem}.ts`),
};

/** The test file of each definition, e.g. test/v2/blocks.test.ts for shared/methods/v2/blocks.ts. */
const testFileOf = new Map<AnyDefinition, string>();
for (const version of ["v2", "v3", "v4"] as const)
  for (const name of readdirSync(join(top, "shared", "methods", version))) {
    const stem = name.replace(".ts", "");
    for (const [key, methods] of Object.entries(await groups[version](stem)))
      if (key.endsWith("Methods")) noteFirst(methods as Definitions, `test/${version}/${stem}.test.ts`);
  }
note(devnetMethods, "test/devnet/methods.test.ts");
note(electionMethods, "test/devnet/elections/methods.test.ts");
note(stateMethods, "test/devnet/state.test.ts");
note(blockMethods, "test/devnet/blocks.test.ts");
note(messageMethods, "test/devnet/messages.test.ts");
note(setupMethods, "test/devnet/setup.test.ts");
note(liteMethods, "test/lite/methods.test.ts");
note(rpcMethods, "test/rpc/methods.test.ts");
note(subscriptionMethods, "test/http/subscriptions/methods.test.ts");

/** A group that takes another one in comes after it. */
function noteFirst(methods: Definitions, file: string): void {
  for (const [, definition] of flatten(methods))
    if (!testFileOf.has(definition)) testFileOf.set(definition, file);
}

function note(methods: Definitions, file: string): void {
  for (const [, definition] of flatten(methods)) testFileOf.set(definition, file);
}

it.each(flatten(registry))(
  "%s has a describe of its name in the test file of its group",
  (name, definition) => {
    const file = testFileOf.get(definition)!;
    expect([file, textOf(file).includes(`describe("${name}"`)]).toEqual([file, true]);
  },
);

describe("files below test/", () => {
  /** Folders that all may import from; test/example is shown to readers, and tested where the browser is. */
  const shared = ["helpers", "example"];
  const folderOf = (path: string) => (path.includes(sep) ? path.split(sep)[0]! : ".");
  // Benchmarks and configurations are not tests. Benchmarks reuse the code they measure.
  const files = readdirSync(join(top, "test"), { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".config.ts") && folderOf(path) !== "bench",
  );

  it("import values from their own folder and from helpers, not from the folders of other tests", () => {
    const foreign = files.flatMap((path) => {
      const text = textOf(join("test", path));
      const imports = text.matchAll(/^(?:import|export) (?!type )[^"]*?"(\.[^"]+)"/gm);
      return [...imports]
        .map(([, target]) => relative(join(top, "test"), join(top, "test", dirname(path), target!)))
        .filter((target) => folderOf(target) !== ".." && !shared.includes(folderOf(target)))
        .filter((target) => folderOf(target) !== folderOf(path))
        .map((target) => `${path} imports ${target}`);
    });
    expect(foreign).toEqual([]);
  });
});
