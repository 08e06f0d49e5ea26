import { base64ToBytes, bytesToBase64 } from "../../../../shared/values/bytes.js";

/** Downloads a file to the user's machine. */
export function download(name: string, base64: string): void {
  const link = document.createElement("a");
  const url = URL.createObjectURL(new Blob([Uint8Array.from(base64ToBytes(base64)!)]));
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The content of a file in base64. */
export async function contentOf(file: File): Promise<string> {
  return bytesToBase64(new Uint8Array(await file.arrayBuffer()));
}
