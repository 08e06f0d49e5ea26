import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const folder = import.meta.dirname;

/** Modules that have another form in a page, by the end of their path. */
const replaced: Readonly<Record<string, string>> = {
  "/chain/ed25519.js": "page/node.ts",
  "/os/folder.js": "page/node.ts",
  "/os/replace-file.js": "page/node.ts",
  "helpers/chain/busy-chain.js": "page/chains.ts",
  "helpers/chain/key-block-chain.js": "page/chains.ts",
  "helpers/chain/open-replay.js": "page/chains.ts",
  "./remembered-chain.js": "page/chains.ts",
};

const runner = "page/runner.ts";

const inPage: Plugin = {
  name: "modules in a page",
  setup({ onResolve }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: join(folder, "page/vitest.ts") }));
    onResolve({ filter: /^node:/ }, () => ({ path: join(folder, "page/node.ts") }));
    onResolve({ filter: /\.js$/ }, ({ path }) => {
      const [, other] = Object.entries(replaced).find(([end]) => path.endsWith(end)) ?? [];
      return other === undefined ? undefined : { path: join(folder, other) };
    });
  },
};

/** Files of tests as one script for a page, which defines `suites.run(file)`. `env`: the environment that they read. */
export async function bundledSuites(
  of: string,
  files: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const imports = files.map(
    (file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(join(of, file))})`,
  );
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { runSuite } from "./${runner}";
        const suites = { ${imports.join(",\n")} };
        export const run = (file) => runSuite(suites, file);`,
      resolveDir: folder,
      loader: "ts",
    },
    inject: [join(folder, "page/globals.ts")],
    plugins: [inPage],
    define: { "process.env": JSON.stringify(env), "import.meta.url": "location.href" },
    bundle: true,
    format: "iife",
    globalName: "suites",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]!.text;
}
