import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../os/package-files.js";

/** Version of this package. */
export const version: string = JSON.parse(
  readFileSync(join(packageFolder(), "package.json"), "utf8"),
).version;
