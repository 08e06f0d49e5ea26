import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { packageFolder } from "../../os/package-files.js";
import { markdown } from "../../web/pages/markdown.js";
import { documentPage, type ShownDocument } from "../../web/pages/shells/document-shell.js";
import { Asset } from "./asset.js";

/** Documents for readers, by the folder in which their README.md stands. */
const titles = {
  "": "Start",
  client: "The client",
  "client/recipes": "Recipes",
  "client/examples": "Other languages",
  shared: "The API",
  "server/devnet": "The devnet",
  server: "Operation",
  "server/scale": "Scale",
  "server/config": "Settings",
};

const pathOf = (folder: string) => posix.join("/docs", folder);
const all: readonly ShownDocument[] = Object.entries(titles).map(([folder, title]) => ({
  path: pathOf(folder),
  title,
}));

/** Pages of the READMEs of this package. */
export function readmePages(network: string, type: string): [path: string, page: Asset][] {
  const top = packageFolder();
  return Object.entries(titles).map(([folder, title]) => {
    const shown = { path: pathOf(folder), title };
    const make = async () => {
      const text = await readFile(join(top, folder, "README.md"), "utf8");
      const content = markdown(text, (target) => pageOf(folder, target));
      return Buffer.from(documentPage(shown, { all, content, network }));
    };
    return [shown.path, new Asset(type, make)];
  });
}

/** The READMEs as they are, in Markdown, with links between them as the service has them. */
export function readmeTexts(): Promise<{ path: string; title: string; text: string }[]> {
  const top = packageFolder();
  return Promise.all(
    Object.entries(titles).map(async ([folder, title]) => {
      const text = await readFile(join(top, folder, "README.md"), "utf8");
      const linked = text.replace(
        /\]\(([^()\s]{1,200})\)/g,
        (_, target: string) => `](${pageOf(folder, target) ?? target})`,
      );
      return { path: pathOf(folder).slice(1), title, text: linked };
    }),
  );
}

/** Target of a link between READMEs; other files of the package are not shown. */
function pageOf(folder: string, target: string): string | undefined {
  const [file = "", anchor] = target.split("#");
  const path = posix.join(folder, file);
  const other = Object.keys(titles).find((each) => posix.join(each, "README.md") === path);
  if (other === undefined) return undefined;
  return pathOf(other) + (anchor === undefined ? "" : `#${anchor}`);
}
