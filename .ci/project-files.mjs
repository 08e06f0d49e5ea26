// The TypeScript sources of projects, parsed, for the checkers beside this file.
import { dirname, join } from "node:path";
import { API } from "typescript/unstable/sync";

export const top = dirname(import.meta.dirname);
const published = ["shared", "shared/ton", "client", "server", "server/web/pages", "server/web/explorer"];

export const configOf = (project) => join(top, project, "tsconfig.json");
export const publishedConfigs = published.map(configOf);

/** Each file of the projects once, with the line of a position. Projects are named by the paths of their tsconfig.json. */
export function* filesOf(configs) {
  const seen = new Set();
  const api = new API();
  try {
    for (const config of configs) {
      const snapshot = api.updateSnapshot({ openProject: config });
      const { rootFiles, program } = snapshot.getProject(config);
      for (const path of rootFiles) {
        if (seen.has(path)) continue;
        seen.add(path);
        const file = program.getSourceFile(path);
        yield { path, file, lines: file.text.split("\n"), lineOf: (node) => lineOf(node, file) };
      }
      snapshot.dispose();
    }
  } finally {
    api.close();
  }
}

function lineOf(node, file) {
  return file.text.slice(0, node.getStart(file)).split("\n").length;
}
