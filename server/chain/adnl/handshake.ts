import { type Cipher, createCipheriv, createDecipheriv, type Decipher } from "node:crypto";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { sharedSecret, shortId } from "./identity.js";

/** Ciphers of both directions; each is used for the whole life of the connection. */
export type Streams = { incoming: Decipher; outgoing: Cipher };

/** Returns `count` random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** Length of the handshake packet. */
export const handshakeLength = 256;
const paramsLength = 160;
const algorithm = "aes-256-ctr";

/** The client's handshake packet for the server with this key. It carries the stream keys, encrypted to that key. */
export function openHandshake(
  serverKey: Uint8Array,
  client: { seed: Uint8Array; publicKey: Uint8Array },
  randomBytes: RandomBytes,
): { packet: Uint8Array; streams: Streams } {
  const params = randomBytes(paramsLength);
  const digest = sha256(params);
  const { key, iv } = paramsCipher(sharedSecret(client.seed, serverKey), digest);
  const sealed = createCipheriv(algorithm, key, iv).update(params);
  const packet = Buffer.concat([shortId(serverKey), client.publicKey, digest, sealed]);
  const { first, second } = streamKeys(params);
  return {
    packet,
    streams: {
      incoming: createDecipheriv(algorithm, first.key, first.iv),
      outgoing: createCipheriv(algorithm, second.key, second.iv),
    },
  };
}

/** The server's side: the ciphers a client has chosen; undefined if the packet is invalid or for another server. */
export function acceptHandshake(
  packet: Uint8Array,
  server: { seed: Uint8Array; id: Uint8Array },
): Streams | undefined {
  const [id, clientKey, digest] = [packet.subarray(0, 32), packet.subarray(32, 64), packet.subarray(64, 96)];
  if (!bytesEqual(id, server.id)) return undefined;
  const secret = secretWith(server.seed, clientKey);
  if (!secret) return undefined;
  const { key, iv } = paramsCipher(secret, digest);
  const params = createDecipheriv(algorithm, key, iv).update(packet.subarray(96));
  if (!bytesEqual(sha256(params), digest)) return undefined;
  const { first, second } = streamKeys(params);
  return {
    incoming: createDecipheriv(algorithm, second.key, second.iv),
    outgoing: createCipheriv(algorithm, first.key, first.iv),
  };
}

/** Undefined for a key of small order, with which the secret would be public. */
function secretWith(seed: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  try {
    return sharedSecret(seed, publicKey);
  } catch {
    // Node refuses such a key.
    return undefined;
  }
}

function paramsCipher(secret: Uint8Array, digest: Uint8Array) {
  return {
    key: Buffer.concat([secret.subarray(0, 16), digest.subarray(16)]),
    iv: Buffer.concat([digest.subarray(0, 4), secret.subarray(20)]),
  };
}

/** The first key encrypts the server's messages. */
function streamKeys(params: Uint8Array) {
  return {
    first: { key: params.subarray(0, 32), iv: params.subarray(64, 80) },
    second: { key: params.subarray(32, 64), iv: params.subarray(80, 96) },
  };
}
