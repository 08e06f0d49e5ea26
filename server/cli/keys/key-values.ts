import { InvalidArgumentError } from "commander";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { ifJson, isJsonObject } from "../../../shared/values/json.js";
import { unknownPatterns } from "../../access/keys/key-rules.js";

// Values of the flags of the key commands.

export const methodsHelp = "names and namespaces with commas, such as getMasterchainInfo,v3.jetton.*";
export const originsHelp = "hosts with commas, such as app.example.com,*.example.org";

export function readList(text: string): string[] {
  return text.split(",").map((each) => each.trim());
}

export function readMethods(text: string): string[] {
  const patterns = readList(text);
  const [unknown] = unknownPatterns(patterns, [...flatten(registry).map(([name]) => name), "v4.watch"]);
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `${JSON.stringify(unknown)} is no method. Allowed: names such as getMasterchainInfo or v3.jetton.wallets, and namespaces such as v2.*, v3.* or subscription.*.`,
    );
  return patterns;
}

export function readQuota(text: string): number | "unlimited" {
  if (text === "unlimited") return text;
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new InvalidArgumentError("Allowed: an integer from 1 to 999999999999, or unlimited.");
  return Number(text);
}

export function readLabel(text: string): string {
  // Terminal control characters in a label would take effect when the keys are listed.
  if (text.length > 200 || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError("Allowed: a single line of up to 200 characters.");
  return text;
}

export function readObject(text: string): object {
  const read = ifJson(text);
  if (isJsonObject(read)) return read;
  throw new InvalidArgumentError("Allowed: a JSON object.");
}

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("Allowed: an integer from 1 to 1000000.");
  return Number(text);
}
