// Compiles src/counter.tolk into src/counter-code.ts: npm run compile
import { readFileSync, writeFileSync } from "node:fs";
import { runTolkCompiler } from "@ton/tolk-js";

const sources = new URL("src/", import.meta.url);
const result = await runTolkCompiler({
  entrypointFileName: "counter.tolk",
  fsReadCallback: (path) => readFileSync(new URL(path, sources), "utf8"),
});
if (result.status === "error") {
  console.error(result.message);
  process.exit(1);
}
writeFileSync(
  new URL("counter-code.ts", sources),
  `/** counter.tolk, compiled by \`npm run compile\`. */\nexport const counterCode =\n  "${result.codeBoc64}";\n`,
);
