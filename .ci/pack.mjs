// `npm run pack`: builds, and puts both packages as files into the folder that is named, by default the current one.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pack, packages, stage } from "./packages.mjs";
import { top } from "./readmes.mjs";

const destination = resolve(process.argv[2] ?? ".");
mkdirSync(destination, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "tonwire-pack-"));
try {
  execFileSync(process.execPath, [join(top, ".ci", "build.mjs"), "--if-changed"], { stdio: "inherit" });
  for (const name of Object.keys(packages)) {
    const folder = join(scratch, name);
    stage(name, folder);
    console.log(pack(folder, destination).tarball);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
