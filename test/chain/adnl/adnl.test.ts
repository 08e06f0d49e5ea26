import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameError, FrameReader, sealFrame } from "../../../server/chain/adnl/frames.js";
import { acceptHandshake, openHandshake } from "../../../server/chain/adnl/handshake.js";
import { sharedSecret, shortId } from "../../../server/chain/adnl/identity.js";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { bytesToHex, hexToBytes } from "../../../shared/values/bytes.js";
import { flippedBits } from "../../helpers/chain/flipped-bits.js";

function keyPair() {
  const seed = randomBytes(32);
  return { seed, publicKey: new SigningKey(seed).publicKey };
}

describe("identities", () => {
  test("a short id is the hash of the key as TL", () => {
    const key = new Uint8Array(32).fill(1);
    expect(shortId(key)).toEqual(
      new Uint8Array(createHash("sha256").update(hexToBytes("c6b41348")!).update(key).digest()),
    );
  });

  test("two sides derive the same secret, a third one another", () => {
    for (let round = 0; round < 20; round++) {
      const [a, b, c] = [keyPair(), keyPair(), keyPair()];
      const secret = bytesToHex(sharedSecret(a.seed, b.publicKey));
      expect(bytesToHex(sharedSecret(b.seed, a.publicKey))).toBe(secret);
      expect(bytesToHex(sharedSecret(c.seed, a.publicKey))).not.toBe(secret);
    }
  });

  test("the secret of two fixed keys is the expected one", () => {
    const seed = hexToBytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")!;
    const other = hexToBytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")!;
    expect(bytesToHex(sharedSecret(seed, other))).toBe(
      "5166f24a6918368e2af831a4affadd97af0ac326bdf143596c045967cc00230e",
    );
  });
});

describe("handshakes", () => {
  test("are accepted by the server they are for, and by no other", () => {
    const [client, server, other] = [keyPair(), keyPair(), keyPair()];
    const { packet, streams } = openHandshake(server.publicKey, client, randomBytes);
    expect(packet).toHaveLength(256);
    const accepted = acceptHandshake(packet, { seed: server.seed, id: shortId(server.publicKey) })!;
    const text = Buffer.from("both ways");
    expect(accepted.incoming.update(streams.outgoing.update(text))).toEqual(text);
    expect(streams.incoming.update(accepted.outgoing.update(text))).toEqual(text);
    expect(acceptHandshake(packet, { seed: other.seed, id: shortId(other.publicKey) })).toBeUndefined();
    expect(acceptHandshake(packet, { seed: other.seed, id: shortId(server.publicKey) })).toBeUndefined();
  });

  test("with any bit changed are rejected", () => {
    const [client, server] = [keyPair(), keyPair()];
    const { packet } = openHandshake(server.publicKey, client, randomBytes);
    const identity = { seed: server.seed, id: shortId(server.publicKey) };
    // The highest bit of the client's key is not part of the point.
    for (const { bit, flipped } of flippedBits(packet, { step: 13 }))
      if (bit !== 63 * 8) expect(acceptHandshake(flipped, identity)).toBeUndefined();
  });

  test("with a key of small order are rejected", () => {
    const server = keyPair();
    const packet = Uint8Array.from([...shortId(server.publicKey), ...new Uint8Array(224)]);
    for (const y of [0, 1]) {
      packet[32] = y;
      expect(acceptHandshake(packet, { seed: server.seed, id: shortId(server.publicKey) })).toBeUndefined();
    }
  });
});

describe("frames", () => {
  const key = new Uint8Array(32).fill(3);
  const iv = new Uint8Array(16).fill(4);
  const outgoing = () => createCipheriv("aes-256-ctr", key, iv);
  const incoming = () => createDecipheriv("aes-256-ctr", key, iv);
  const encrypted = (plain: Uint8Array) => outgoing().update(plain);

  test("survive any splitting of the stream", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
        (payloads, cuts) => {
          const cipher = outgoing();
          const stream = Buffer.concat(payloads.map((payload) => sealFrame(cipher, payload, randomBytes)));
          const reader = new FrameReader(incoming());
          const read: Uint8Array[] = [];
          for (let at = 0, round = 0; at < stream.length; round++) {
            const end = at + cuts[round % cuts.length]!;
            read.push(...reader.push(stream.subarray(at, end)));
            at = end;
          }
          expect(read).toEqual(payloads);
        },
      ),
    );
  });

  test("keep their payloads unchanged when more of the stream arrives", () => {
    const cipher = outgoing();
    const reader = new FrameReader(incoming());
    const [first, second] = [new Uint8Array(100).fill(1), new Uint8Array(100).fill(2)];
    const stream = Buffer.concat([first, second].map((each) => sealFrame(cipher, each, randomBytes)));
    expect(reader.push(stream.subarray(0, 90))).toEqual([]);
    const [read] = reader.push(stream.subarray(90, 250));
    const copy = read!.slice();
    expect(reader.push(stream.subarray(250))).toEqual([second]);
    expect(read).toEqual(copy);
    expect(copy).toEqual(first);
  });

  test("payloads are plain byte arrays", () => {
    const [payload] = new FrameReader(incoming()).push(sealFrame(outgoing(), key, randomBytes));
    expect(payload!.constructor).toBe(Uint8Array);
  });

  test("of an impossible length end the stream before anything is buffered", () => {
    for (const length of [0, 63, (1 << 24) + 1, 0xffffffff]) {
      const head = new Uint8Array(Uint32Array.of(length).buffer);
      expect(() => new FrameReader(incoming()).push(encrypted(head))).toThrow(
        new FrameError(`a frame of ${length} bytes is not allowed`),
      );
    }
    const limited = new FrameReader(incoming(), 100);
    expect(() => limited.push(sealFrame(outgoing(), new Uint8Array(37), randomBytes))).toThrow("101 bytes");
  });

  test("with a wrong hash end the stream", () => {
    const frame = sealFrame(outgoing(), new Uint8Array(20).fill(9), randomBytes);
    for (let at = 4; at < frame.length; at++) {
      const changed = Uint8Array.from(frame);
      changed[at]! ^= 1;
      expect(() => new FrameReader(incoming()).push(changed)).toThrow("the hash of a frame is wrong");
    }
  });
});
