// The members of Node's modules that the suites use, in a page: files are those of the process of the tests.

import * as ed25519 from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { Buffer } from "buffer";
import { callNode } from "./remote.js";

ed25519.hashes.sha512 = sha512;

const file =
  (name: string) =>
  (...args: unknown[]) =>
    callNode<never>(name, ...args);
const fileLater =
  (name: string) =>
  async (...args: unknown[]) =>
    callNode<never>(name, ...args);

export const existsSync = file("existsSync");
export const mkdirSync = file("mkdirSync");
export const mkdtempSync = file("mkdtempSync");
export const readFileSync = file("readFileSync");
export const readdirSync = file("readdirSync");
export const renameSync = file("renameSync");
export const rmSync = file("rmSync");
export const writeFileSync = file("writeFileSync");
export const readFile = fileLater("readFileSync");
export const rename = fileLater("renameSync");
export const makeFolder = file("makeFolder");
export const replaceFile = fileLater("replaceFile");

export const delimiter = ":";
export const join = (...parts: string[]) => parts.join("/").replace(/\/[^/]+\/\.\.(?=\/|$)/g, "");
export const dirname = (path: string) => path.replace(/\/[^/]*$/, "");
export const tmpdir = () => "/tmp";
export const fileURLToPath = (url: URL) => url.pathname;

export function createHash(algorithm: string) {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not here`);
  const parts: Uint8Array[] = [];
  return {
    update(bytes: Uint8Array) {
      parts.push(bytes);
      return this;
    },
    digest(encoding?: "hex") {
      const digest = Buffer.from(sha256(Buffer.concat(parts)));
      return encoding ? digest.toString(encoding) : digest;
    },
  };
}

export function generateKeyPairSync() {
  const seed = ed25519.utils.randomSecretKey();
  // In front of the key stands its kind, in DER.
  const spki = Buffer.concat([new Uint8Array(12), ed25519.getPublicKey(seed)]);
  return { privateKey: seed, publicKey: { export: () => spki } };
}

export function sign(_: null, message: Uint8Array, seed: Uint8Array): Uint8Array {
  return ed25519.sign(message, seed);
}

export const webcrypto = globalThis.crypto;

/** Takes the place of the server's. */
export class SigningKey {
  readonly publicKey: Uint8Array;
  readonly #seed: Uint8Array;

  constructor(seed: Uint8Array) {
    this.#seed = new Uint8Array(seed);
    this.publicKey = ed25519.getPublicKey(this.#seed);
  }

  sign(message: Uint8Array): Uint8Array {
    return ed25519.sign(message, this.#seed);
  }
}

/** Takes the place of the server's. */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return ed25519.verify(signature, message, publicKey, { zip215: false });
}
