import { bytesToBase64 } from "../../values/bytes.js";
import { nodeModule } from "./node-module.js";

type NodeBuffers = {
  Buffer: {
    from(buffer: ArrayBufferLike, at: number, length: number): { toString(encoding: "base64"): string };
  };
};

const buffers = nodeModule<NodeBuffers>("node:buffer");

/** Standard base64 of any length. Node's is several times faster, and bags of cells are the bulk of many answers. */
export const toBase64: (bytes: Uint8Array) => string = buffers
  ? ({ buffer, byteOffset, length }) => buffers.Buffer.from(buffer, byteOffset, length).toString("base64")
  : bytesToBase64;
