import { fileURLToPath } from "node:url";

const compiled = import.meta.url.endsWith(".ts") ? "../../dist/server" : "..";

/** Path of a file of another package that the build copies. In a source tree it is in the build output. */
export function vendored(path: string): string {
  return fileURLToPath(new URL(`${compiled}/vendor/${path}`, import.meta.url));
}
