import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readmePaths, top } from "../../.ci/readmes.mjs";

/** An example of a README: a block of code. */
type Example = { file: string; language: string; code: string };

/** Every example of the READMEs, from top to bottom. */
export const examples: readonly Example[] = readmePaths().flatMap((file) =>
  [...readFileSync(join(top, file), "utf8").matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)].map(
    ([, language, code]) => ({ file, language: language!, code: code! }),
  ),
);

/** The code of the examples of one language in a file. */
export function examplesIn(file: string, language: string): string[] {
  return examples.filter((each) => each.file === file && each.language === language).map(({ code }) => code);
}
