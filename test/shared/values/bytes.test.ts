import { Address as CoreAddress } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Address } from "../../../shared/values/address.js";
import {
  base64ToBytes,
  bytesToBase64,
  bytesToBase64Url,
  bytesToHex,
  hexToBytes,
  joinBytes,
} from "../../../shared/values/bytes.js";

const anyBytes = fc.uint8Array({ maxLength: 100 }).map((bytes) => new Uint8Array(bytes));

describe("text forms of bytes", () => {
  it("decode to the same bytes, and equal those of Node", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const hex = Buffer.from(bytes).toString("hex");
        expect(bytesToHex(bytes)).toBe(hex);
        expect(hexToBytes(hex)).toEqual(bytes);
        expect(hexToBytes(hex.toUpperCase())).toEqual(bytes);
        const base64 = Buffer.from(bytes).toString("base64");
        expect(bytesToBase64(bytes)).toBe(base64);
        expect(bytesToBase64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
        for (const text of [
          base64,
          bytesToBase64Url(bytes),
          base64.replace(/=+$/, ""),
          base64.replace(/(....)/g, "$1\r\n"),
        ])
          expect(base64ToBytes(text)).toEqual(bytes);
      }),
    );
  });

  it.each(["0", "0g", "g0", "é0", "0\u0130", "-1", " 00"])("refuse %j as hex", (text) => {
    expect(hexToBytes(text)).toBeUndefined();
  });

  it.each([
    "A",
    "AAAAA",
    "=",
    "==",
    "====",
    "A=",
    "AA=",
    "AAA==",
    "AAAA=",
    "AAAA==",
    "AA===",
    "A=AA",
    "AA A",
    "AAé=",
    "A*AA",
  ])("refuse %j as base64", (text) => {
    expect(base64ToBytes(text)).toBeUndefined();
  });
});

describe("addresses", () => {
  const account = fc.tuple(
    fc.constantFrom(0, -1, 127, -128),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
  );
  const flags = fc.record({ bounceable: fc.boolean(), testOnly: fc.boolean(), urlSafe: fc.boolean() });

  it("are read from and written to every form as @ton/core does", () => {
    fc.assert(
      fc.property(account, flags, ([workchain, hash], form) => {
        const address = new Address(workchain, new Uint8Array(hash));
        const core = new CoreAddress(workchain, Buffer.from(hash));
        expect(address.toRaw()).toBe(core.toRawString());
        expect(address.toFriendly(form)).toBe(core.toString(form));
        const { bounceable, testOnly } = form;
        expect(Address.read(address.toFriendly(form))).toEqual({
          address,
          form: "friendly",
          bounceable,
          testOnly,
        });
        const read = { address, form: "raw", bounceable: true, testOnly: false };
        expect(Address.read(address.toRaw())).toEqual(read);
        expect(Address.read(address.toRawUpper())).toEqual(read);
      }),
    );
  });

  it("with a character changed or missing are none", () => {
    const friendly = new Address(0, new Uint8Array(32).fill(7)).toFriendly();
    for (let i = 0; i < friendly.length; i++) {
      expect(Address.read(`${friendly.slice(0, i)}*${friendly.slice(i + 1)}`)).toBeUndefined();
      expect(Address.read(friendly.slice(0, i) + friendly.slice(i + 1))).toBeUndefined();
    }
  });

  it.each([
    "",
    ":",
    "0:",
    `0:${"0".repeat(63)}`,
    `0:${"0".repeat(65)}`,
    `:${"0".repeat(64)}`,
    `--1:${"0".repeat(64)}`,
    `1e1:${"0".repeat(64)}`,
    `0x1:${"0".repeat(64)}`,
    ` 0:${"0".repeat(64)}`,
    `128:${"0".repeat(64)}`,
    `0:${"g".repeat(64)}`,
    `${"A".repeat(46)}==`,
  ])("are not read from %j", (text) => {
    expect(Address.read(text)).toBeUndefined();
  });
});

test("joins parts of any length in order", () => {
  expect(joinBytes([Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)])).toEqual(
    Uint8Array.of(1, 2, 3),
  );
  expect(joinBytes([])).toEqual(new Uint8Array(0));
});
