import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256, writePortableSha256, writeSha256 } from "../../../../shared/ton/cells/sha256.js";
import { hexToBytes } from "../../../../shared/values/bytes.js";

// FIPS 180-2, appendix B.
test.each([
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
])("hashes %s", (text, digest) => {
  expect(sha256(text)).toEqual(hexToBytes(digest));
  expect(sha256(new TextEncoder().encode(text))).toEqual(hexToBytes(digest));
});

test.each([
  ["Node", writeSha256],
  ["JavaScript", writePortableSha256],
])("%s writes the digest of any bytes, and nothing beside it", (_, write) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(40), (bytes, at) => {
      const target = new Uint8Array(80).fill(7);
      write(bytes, target, at);
      const expected = new Uint8Array(80).fill(7);
      expected.set(createHash("sha256").update(bytes).digest(), at);
      expect(target).toEqual(expected);
    }),
  );
});
