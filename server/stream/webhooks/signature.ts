import { createHmac } from "node:crypto";

export const signatureHeader = "tonwire-signature";

/** The signature header: time in Unix seconds, and a signature of time and body with each secret. */
export function signatureOf(secrets: readonly string[], seconds: number, body: string): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`,
  );
  return [`t=${seconds}`, ...signatures].join(",");
}
