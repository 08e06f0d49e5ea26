import { fileURLToPath } from "node:url";
import { build, type Format } from "esbuild";
import { examplesIn } from "./readmes.js";

const top = fileURLToPath(new URL("../..", import.meta.url));

export const recipes = examplesIn("client/recipes/README.md", "tsx");

/** The recipe that exports a function of this name. */
export function recipe(name: string): string {
  const found = recipes.filter((code) => new RegExp(`^export (async )?function ${name}\\b`, "m").test(code));
  if (found.length !== 1) throw new Error(`${found.length} recipes export ${name}`);
  return found[0]!;
}

/** A program in one file: a script for browsers, a module or a CommonJS file for Node. */
export async function bundled(
  contents: string,
  platform: "browser" | "node",
  format?: Format,
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: top, loader: "tsx" },
    bundle: true,
    format: format ?? (platform === "browser" ? "iife" : "esm"),
    platform,
    alias: {
      // Modules have no `require`, which `ws` needs.
      tonwire: format === "cjs" ? "./client/node.ts" : "./client/index.ts",
      "tonwire/values": "./client/values/index.ts",
      "tonwire/watch": "./client/watch/index.ts",
      "tonwire/webhooks": "./client/webhooks/index.ts",
      "tonwire/verified": "./client/verified/index.ts",
    },
    external: ["pg-native"],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]!.text;
}

/** The functions of a recipe, and of what is added to it. */
export async function loaded(contents: string): Promise<unknown> {
  return import(`data:text/javascript,${encodeURIComponent(await bundled(contents, "node"))}`);
}
