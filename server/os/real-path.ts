import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** The path of a file without links; undefined if it is outside of the folder, by a link or not. Throws if there is no such file. */
export function realPathWithin(folder: string, path: string): string | undefined {
  const real = realpathSync(path);
  const inside = relative(realpathSync(folder), real);
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : real;
}
