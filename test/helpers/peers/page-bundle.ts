import { build } from "esbuild";

/** Sources of the client as one script for a page, which defines `tonwire`. */
export async function pageBundle(contents: string, { minify = false } = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL("../../../client", import.meta.url).pathname, loader: "ts" },
    bundle: true,
    minify,
    format: "iife",
    globalName: "tonwire",
    platform: "browser",
    write: false,
  });
  return outputFiles[0]!.text;
}
