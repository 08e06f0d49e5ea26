import type { LiteError } from "../lite/lite-api.js";

/** Names of liteserver codes in error texts; clients match them. */
const names: Readonly<Record<number, string>> = {
  601: "FAILURE",
  602: "ERROR",
  603: "WARNING",
  621: "PROTOVIOLATION",
  651: "NOTREADY",
  652: "TIMEOUT",
  653: "CANCELLED",
};

/** `LITE_SERVER_NOTREADY: …` */
export function liteErrorText({ code, message }: LiteError): string {
  return `LITE_SERVER_${names[code] ?? "UNKNOWN"}: ${message}`;
}

/** A block id that does not exist; liteservers return it for accounts of unknown workchains. */
const noShard = `(-2147483648,0000000000000000,0):${"0".repeat(64)}:${"0".repeat(64)}`;

/** tonlib's error for an account of a workchain that does not exist. It joins the two parts without a separator. */
export const noWorkchainText = `VALIDATE_ACCOUNT_STATEshard block id ${noShard} in answer is invalid`;
