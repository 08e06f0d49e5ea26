import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { bytesOfBase64 } from "../../../../shared/values/known-bytes.js";
import { downloadFile } from "../parts/download.js";

export function saveState(name: string, base64: string): void {
  downloadFile(name, new Blob([Uint8Array.from(bytesOfBase64(base64))]));
}

/** The content of a file in base64. */
export async function contentOf(file: File): Promise<string> {
  return bytesToBase64(new Uint8Array(await file.arrayBuffer()));
}
