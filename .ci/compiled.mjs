// Loads modules of dist/, for scripts that run after a build.
import { join } from "node:path";

const dist = join(import.meta.dirname, "../dist");

export const compiled = (path) => import(join(dist, path));
