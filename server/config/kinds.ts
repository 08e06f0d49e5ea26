import { BlockList, isIP } from "node:net";
import { z } from "zod";

/** One entry of the configuration: where it may be written, what it means and what it takes. */
export type Setting<T = unknown> = {
  /** Name in the environment; flag and file member are derived from the entry's key. */
  variable: string;
  /** Reads what the environment, a flag (both text) or the file (any JSON) says. */
  schema: z.ZodType<T>;
  /** What the schema takes, in words for error messages and the README. */
  allowed: string;
  default: T;
  help: string;
  /** Never shown, neither by `--print-config` nor in an error. */
  secret?: true;
};

/** What a kind of setting fixes; the entry adds the rest. */
type Kind<T> = Pick<Setting<T>, "schema" | "allowed">;

const decimalText = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number);

export function integer(min: number, max: number): Kind<number> {
  return {
    schema: z.union([z.number(), decimalText]).pipe(z.number().int().min(min).max(max)),
    allowed: `an integer from ${min} to ${max}`,
  };
}

/** A number that may also be left out altogether. */
export function optionalInteger(min: number, max: number): Kind<number | undefined> {
  return integer(min, max);
}

/** Seqno of a masterchain block, or the newest there is. */
export function optionalBlock(): Kind<number | "head" | undefined> {
  return {
    schema: z.union([z.literal("head"), integer(1, 0x7ffffffe).schema]),
    allowed: "an integer from 1 to 2147483646, or head",
  };
}

export function fraction(): Kind<number> {
  return {
    schema: z.union([z.number(), decimalText]).pipe(z.number().min(0).max(1)),
    allowed: "a number from 0 to 1",
  };
}

export function text(allowed: string): Kind<string> {
  return { schema: z.string().min(1).max(4096), allowed };
}

/** Text that may also be left out altogether. */
export function optionalText(allowed: string): Kind<string | undefined> {
  return text(allowed);
}

/** What a header can carry and a shell line can quote. */
export function optionalKey(): Kind<string | undefined> {
  return {
    schema: z
      .string()
      .regex(/^[!-~]{1,256}$/)
      .regex(/^[^']*$/),
    allowed: "1 to 256 ASCII characters without blanks and '",
  };
}

export function choice<const T extends string>(values: readonly T[]): Kind<T> {
  return { schema: z.enum(values), allowed: values.join(", ") };
}

export function toggle(): Kind<boolean> {
  return {
    schema: z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]),
    allowed: "true or false",
  };
}

/** A URL of one of the given schemes, kept as text. */
export function optionalUrl(schemes: readonly string[]): Kind<string | undefined> {
  return {
    schema: z.string().refine((value) => URL.canParse(value) && schemes.includes(schemeOf(value))),
    allowed: `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  };
}

function schemeOf(url: string): string {
  return new URL(url).protocol.slice(0, -1);
}

/** A whole number of calls per second, or no limit. */
export function rate(): Kind<number | "unlimited"> {
  return {
    schema: z.union([z.literal("unlimited"), integer(1, 1_000_000).schema]),
    allowed: "an integer from 1 to 1000000, or unlimited",
  };
}

/** How many proxies stand in front of the service, or which networks they are in. */
export type TrustProxy = { hops: number } | { networks: readonly string[] };

export function trustProxy(): Kind<TrustProxy> {
  const hops = integer(0, 16).schema.transform((count) => ({ hops: count }));
  const networks = z
    .union([z.array(z.string()), z.string().transform((list) => list.split(","))])
    .transform((list) => list.map((network) => network.trim()))
    .refine((list) => list.length > 0 && list.every(isNetwork))
    .transform((list) => ({ networks: list }));
  return {
    schema: z.union([hops, networks]),
    allowed: "a number of proxies from 0 to 16, or a comma list of CIDR networks such as 10.0.0.0/8,fd00::/8",
  };
}

function isNetwork(text: string): boolean {
  try {
    addNetwork(new BlockList(), text);
    return true;
  } catch {
    return false;
  }
}

/** Adds `address` or `address/prefix`; throws on anything else. */
export function addNetwork(list: BlockList, network: string): void {
  const [address = "", prefix, ...rest] = network.split("/");
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(length <= bits)) throw new RangeError(`${network} is no network`);
  list.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
}
