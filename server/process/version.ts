import { createRequire } from "node:module";

/** Version of this package. */
export const version: string = createRequire(import.meta.url)("tonwire/package.json").version;
