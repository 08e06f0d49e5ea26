import { generateKeyPairSync, sign, webcrypto } from "node:crypto";
import { describe, expect, test } from "vitest";
import { inBrowser, VerifyingKey } from "../../../../../shared/ton/proofs/verify/verifying-key.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const key = new Uint8Array(publicKey.export({ format: "der", type: "spki" }).subarray(12));
const message = new TextEncoder().encode("a block");
const signature = new Uint8Array(sign(null, message, privateKey));
const changed = (bytes: Uint8Array) => bytes.map((byte, index) => (index === 5 ? byte ^ 1 : byte));
/** y = 2 is no point of the curve. */
const noPoint = new Uint8Array(32).fill(2, 0, 1);

type HasSigned = (message: Uint8Array, signature: Uint8Array) => Promise<boolean>;
const makers: [string, (key: Uint8Array) => Promise<HasSigned>][] = [
  ["Node", async (bytes) => (text, proof) => new VerifyingKey(bytes).hasSigned(text, proof)],
  ["WebCrypto", (bytes) => inBrowser(bytes, webcrypto.subtle)],
  ["JavaScript", (bytes) => inBrowser(bytes, undefined)],
];

describe.each(makers)("a key verified by %s", (_, make) => {
  test("has signed the message alone, with the signature alone", async () => {
    const hasSigned = await make(key);
    expect(await hasSigned(message, signature)).toBe(true);
    expect(await hasSigned(changed(message), signature)).toBe(false);
    expect(await hasSigned(message, changed(signature))).toBe(false);
    expect(await hasSigned(message, signature.subarray(1))).toBe(false);
  });

  test("has signed nothing if it is another one or none at all", async () => {
    expect(await (await make(changed(key)))(message, signature)).toBe(false);
    expect(await (await make(noPoint))(message, signature)).toBe(false);
  });
});

test("browsers without Ed25519 verify in JavaScript", async () => {
  const old = { importKey: () => Promise.reject(new Error("not supported")), verify: expect.unreachable };
  const hasSigned = await inBrowser(key, old as never);
  expect([await hasSigned(message, signature), await hasSigned(message, changed(signature))]).toEqual([
    true,
    false,
  ]);
});
