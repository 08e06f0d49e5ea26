import { Address } from "@ton/core";

/** A hash as the addresses of pages have it. */
export function hexOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}

/** An account as the addresses of pages have it. */
export function friendlyOf(raw: string): string {
  return Address.parse(raw).toString();
}
