import { shortAddress } from "../../../shared/text/answer-names.js";
import { Address } from "../../../shared/values/address.js";

/** An address as text or object, or a contract or wallet with one. */
export type Addressed =
  | string
  | { toRawString(): string }
  | { readonly address: string | { toRawString(): string } };

/** A cell of @ton/core, or another object with a hash. */
export type Hashed = { hash(): Uint8Array };

/** The raw address, upper case, or undefined. */
export function addressIn(value: unknown): string | undefined {
  if (typeof value === "string") return Address.read(value)?.address.toRawUpper();
  if (typeof value !== "object" || value === null) return undefined;
  if ("toRawString" in value && typeof value.toRawString === "function")
    return addressIn(value.toRawString());
  return "address" in value ? addressIn(value.address) : undefined;
}

/** Like `addressIn`; throws a TypeError that names what is no address. */
export function requiredAddress(name: string, value: unknown): string {
  const address = addressIn(value);
  if (address === undefined) throw new TypeError(`${name} is not an address: ${shownValue(value)}`);
  return address;
}

export function isHashed(value: unknown): value is Hashed {
  return typeof value === "object" && value !== null && "hash" in value && typeof value.hash === "function";
}

/** Whether a value is as expected: equal, as a function says, or with the expected members. Amounts may be decimal texts. */
export function isAsExpected(actual: unknown, expected: unknown): boolean {
  if (typeof expected === "function") return expected(actual) === true;
  if (expected instanceof RegExp) return typeof actual === "string" && expected.test(actual);
  if (typeof expected === "bigint") return actual === expected || actual === String(expected);
  const address = addressIn(expected);
  if (address !== undefined) return addressIn(actual) === address;
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null) return false;
  return Object.entries(expected).every(([name, each]) =>
    isAsExpected((actual as Record<string, unknown>)[name], each),
  );
}

const maxShown = 200;

/** A value for messages. */
export function shownValue(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a value that the function accepts";
  if (value instanceof RegExp) return String(value);
  const address = addressIn(value);
  if (address !== undefined) return shortAddress(Address.read(address)!.address.toFriendly());
  if (isHashed(value)) return `a cell with hash ${Buffer.from(value.hash()).toString("hex")}`;
  const text =
    JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each)) ?? String(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

export function shownMembers(members: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(members).map(([name, value]) => `${name}: ${shownValue(value)}`);
  return parts.length > 0 ? `{ ${parts.join(", ")} }` : "";
}
