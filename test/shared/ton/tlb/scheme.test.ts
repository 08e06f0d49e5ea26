import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../../../shared/ton/tlb/", import.meta.url));
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

/** The scheme at the start of a file. */
function schemeOf(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.slice(2).trim())
    .join(" ");
}

function crc32(text: string): number {
  let crc = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** The only tag of these types that the scheme does not state. */
const implicit = "block_extra#4a33f6fd";

describe("the scheme above the types", () => {
  test("every constructor has the tag of its scheme line", () => {
    const tagged = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/"([a-z]\w*[#$][0-9a-f_]+)( \^\[\])?"/g)].map(([, used]) => ({
        name,
        text,
        used: used!,
      })),
    );
    expect(tagged.length).toBeGreaterThan(100);
    const strange = tagged
      .filter(({ text, used }) => used !== implicit && !`${schemeOf(text)} `.includes(`${used} `))
      .map(({ name, used }) => `${name}: ${used}`);
    expect(strange).toEqual([]);
  });

  test("the tag that the scheme omits is the checksum of its line without brackets", () => {
    const { text } = sources.find(({ name }) => name === "block-extra.ts")!;
    const line = schemeOf(text).replaceAll(/[();]/g, "");
    expect(`block_extra#${crc32(line).toString(16)}`).toBe(implicit);
    expect(text).toContain(`record("${implicit}"`);
  });
});
