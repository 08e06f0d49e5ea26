import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../server/errors.js";
import { readSpamList } from "../../server/metadata/spam-list.js";
import { Address } from "../../shared/values/address.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const rawOf = (digit: string) => `0:${digit.repeat(64)}`;

function fileOf(content: string | Buffer): string {
  const path = `${temporaryFolder()}/spam.txt`;
  writeFileSync(path, content);
  return path;
}

describe("A spam list", () => {
  it("has an address on each line, in any form, and comments", () => {
    const friendly = Address.read(rawOf("B"))!.address.toFriendly();
    const file = `\uFEFF# scams\r\n${rawOf("a")} copies USDT\r\n\r\n  ${friendly}\t# airdrop\n${rawOf("A")}\n`;
    expect(readSpamList(fileOf(file))).toEqual([rawOf("A"), rawOf("B")]);
    expect(readSpamList(fileOf(""))).toEqual([]);
  });

  it.each([
    ["text that is no address", `${rawOf("A")}\n\nscam.example\n`, "line 3"],
    ["an address cut off", rawOf("A").slice(0, -1), "line 1"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0, 0x30]), "line 1"],
  ])("is refused with the line of the mistake: %s", (_, content, line) => {
    const read = () => readSpamList(fileOf(content));
    expect(read).toThrow(SetupError);
    expect(read).toThrow(line);
  });

  it("is refused if there is no such file, or if it is too long to store", () => {
    expect(() => readSpamList("/nowhere/spam.txt")).toThrow("/nowhere/spam.txt");
    const many = Array.from({ length: 100_001 }, (_, at) => `0:${at.toString(16).padStart(64, "0")}`);
    expect(() => readSpamList(fileOf(many.join("\n")))).toThrow("more than 100000 addresses");
    expect(readSpamList(fileOf(many.slice(1).join("\n")))).toHaveLength(100_000);
  });
});
