import { type Cipher, createCipheriv, createDecipheriv, type Decipher } from "node:crypto";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { sha256, sharedSecret, shortId } from "./identity.js";

/** Both directions of a connection, each with one cipher for as long as the connection lives. */
export type Streams = { incoming: Decipher; outgoing: Cipher };

/** Gives that many random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** Length of the one packet that opens a connection. */
export const handshakeLength = 256;
const paramsLength = 160;
const algorithm = "aes-256-ctr";

/** What a client says to the server with this key: keys for both directions that only the server can read. */
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

/** The streams a client has opened, as the server sees them; none when the packet is not meant for this server. */
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

/** None with a key whose point is of small order: everybody would know the secret. */
function secretWith(seed: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  try {
    return sharedSecret(seed, publicKey);
  } catch {
    return undefined;
  }
}

function paramsCipher(secret: Uint8Array, digest: Uint8Array) {
  return {
    key: Buffer.concat([secret.subarray(0, 16), digest.subarray(16)]),
    iv: Buffer.concat([digest.subarray(0, 4), secret.subarray(20)]),
  };
}

/** The first pair is for what the server sends. */
function streamKeys(params: Uint8Array) {
  return {
    first: { key: params.subarray(0, 32), iv: params.subarray(64, 80) },
    second: { key: params.subarray(32, 64), iv: params.subarray(80, 96) },
  };
}
