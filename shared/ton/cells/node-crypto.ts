import { nodeModule } from "./node-module.js";

/** The part of node:crypto that hashes and signatures use. */
type NodeCrypto = {
  hash(algorithm: "sha256", data: Uint8Array | string, encoding: "binary"): string;
  createPublicKey(key: { key: object; format: "jwk" }): object;
  verify(
    algorithm: null,
    message: Uint8Array,
    key: object,
    signature: Uint8Array,
    done: (error: Error | null, isValid: boolean) => void,
  ): void;
};

export const nodeCrypto = nodeModule<NodeCrypto>("node:crypto");
