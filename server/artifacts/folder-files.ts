import { readdir } from "node:fs/promises";
import { join } from "node:path";

type Bounds = {
  /** Whether a file with this name is read. */
  isWanted: (name: string) => boolean;
  /** Most files. */
  files: number;
  /** Levels of folders, the first one included. */
  depth: number;
};

/**
 * The files in a folder and its sub-folders, relative to it and in the order of their names; links are not followed, and
 * packages and hidden folders are left out. Throws if there are too many.
 */
export async function filesIn(folder: string, { isWanted, files, depth }: Bounds): Promise<string[]> {
  const found: string[] = [];
  const visit = async (inner: string, level: number): Promise<void> => {
    const entries = await readdir(join(folder, inner), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (entry.isFile() && isWanted(entry.name)) found.push(path);
      else if (entry.isDirectory() && level < depth && !isIgnored(entry.name)) await visit(path, level + 1);
      if (found.length > files) throw new Error(`more than ${files} files`);
    }
  };
  await visit("", 1);
  return found;
}

function isIgnored(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}
