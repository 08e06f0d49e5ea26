// Makes the first blocks of a devnet with the default settings, and their index, with which the program then starts.
// Runs the compiled program, so it comes last in the build.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { compiled } from "./compiled.mjs";

const server = join(import.meta.dirname, "../dist/server");
const target = join(server, "kept");
const record = join(target, "edition");
const { programEdition } = await compiled("server/os/package-files.js");
const { configWith } = await compiled("server/config/settings.js");
const { createService } = await compiled("server/process/service/service.js");
const edition = programEdition();

/** It takes seconds, on a machine that stands still minutes. */
const longestMs = 900_000;

const keptIn = (folder) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".kept")) : [];

/** Files appear under their names when they are whole. */
async function make(cache) {
  const config = configWith({ network: "devnet", port: 0, cache, logLevel: "error" });
  const service = await createService(config, { edition });
  try {
    await service.listen();
    const end = Date.now() + longestMs;
    while (keptIn(join(cache, "index")).length === 0) {
      if (Date.now() > end) throw new Error("the index of the first blocks was not kept");
      await wait(20);
    }
  } finally {
    await service.close();
  }
  for (const folder of [cache, join(cache, "index")])
    for (const name of keptIn(folder)) {
      renameSync(join(folder, name), join(target, name));
      // Other users may start the program.
      chmodSync(join(target, name), 0o644);
    }
}

if (!existsSync(record) || readFileSync(record, "utf8") !== edition) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const cache = mkdtempSync(join(target, "making-"));
  await make(cache);
  rmSync(cache, { recursive: true });
  writeFileSync(record, edition);
}
