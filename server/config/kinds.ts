import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { Address } from "../../shared/values/address.js";

/**
 * Groups of settings, in the order of `--help` and of `server/config/README.md`. `start` has those that most people need;
 * `network` the chain, also a devnet.
 */
export const settingGroups = ["start", "network", "index", "limits", "operation"] as const;

/** One setting: its names, allowed values, default and help text. */
export type Setting<T = unknown> = {
  group: (typeof settingGroups)[number];
  /** Environment variable; the flag and the file member are derived from the setting's key. */
  variable: string;
  /** Parses the value from the environment or a flag (text), or from the file (any JSON). */
  schema: z.ZodType<T>;
  /** Allowed values in words, for error messages and `server/config/README.md`. */
  allowed: string;
  default: T;
  help: string;
  /** Value of a flag that is given without one. */
  bare?: T;
  /** Masked in `--print-config` and in error messages. */
  secret?: true;
};

/** The part of a setting that depends on its type only. */
type Kind<T> = Pick<Setting<T>, "schema" | "allowed">;

const decimalText = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number);

/** An integer within bounds, as a number or as decimal text. */
export function integer(min: number, max: number): Kind<number> {
  return {
    schema: z.union([z.number(), decimalText]).pipe(z.number().int().min(min).max(max)),
    allowed: `an integer from ${min} to ${max}`,
  };
}

/** An integer without a default. */
export function optionalInteger(min: number, max: number): Kind<number | undefined> {
  return integer(min, max);
}

/** Seqno of a masterchain block, or `head` for the newest. */
export function optionalBlock(): Kind<number | "head" | undefined> {
  return {
    schema: z.union([z.literal("head"), integer(1, 0x7ffffffe).schema]),
    allowed: "an integer from 1 to 2147483646, or head",
  };
}

/** A number from 0 to 1. */
export function fraction(): Kind<number> {
  return {
    schema: z.union([z.number(), decimalText]).pipe(z.number().min(0).max(1)),
    allowed: "a number from 0 to 1",
  };
}

/** A fraction without a default. */
export function optionalFraction(): Kind<number | undefined> {
  return fraction();
}

/** Text of 1 to 4096 characters. */
export function text(allowed: string): Kind<string> {
  return { schema: z.string().min(1).max(4096), allowed };
}

/** Text without a default. */
export function optionalText(allowed: string): Kind<string | undefined> {
  return text(allowed);
}

/** An API key: characters that headers can carry and shells can quote. */
export function optionalKey(): Kind<string | undefined> {
  return {
    schema: z
      .string()
      .regex(/^[!-~]{1,256}$/)
      .regex(/^[^']*$/),
    allowed: "1 to 256 ASCII characters without spaces and '",
  };
}

/** One of the given words. */
export function choice<const T extends string>(values: readonly T[]): Kind<T> {
  return { schema: z.enum(values), allowed: values.join(", ") };
}

/** A choice without a default. */
export function optionalChoice<const T extends string>(values: readonly T[]): Kind<T | undefined> {
  return choice(values);
}

/** A boolean, also as the text `true` or `false`. */
export function toggle(): Kind<boolean> {
  return {
    schema: z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]),
    allowed: "true or false",
  };
}

/** A boolean without a default. */
export function optionalToggle(): Kind<boolean | undefined> {
  return toggle();
}

/** Bytes in hex, without a default. */
export function optionalHex(): Kind<string | undefined> {
  const schema = z
    .string()
    .max(1024)
    .regex(/^([0-9a-fA-F]{2})+$/);
  return { schema, allowed: "1 to 512 bytes in hex" };
}

/** Hashes in hex; upper case once they are read. */
export function hashes(): Kind<readonly string[]> {
  return {
    schema: z
      .union([z.array(z.string()), z.string().transform((list) => list.split(",").filter(Boolean))])
      .refine((list) => list.every((each) => /^[0-9a-fA-F]{64}$/.test(each.trim())))
      .transform((list) => list.map((each) => each.trim().toUpperCase())),
    allowed: "a comma-separated list of 64 hex digits each",
  };
}

/** A URL without a default. */
export function optionalUrl(schemes: readonly string[]): Kind<string | undefined> {
  return url(schemes);
}

/** A URL, or `off` for none, without a default. */
export function optionalUrlOrOff(schemes: readonly string[]): Kind<string | undefined> {
  const { schema, allowed } = url(schemes);
  return { schema: z.union([z.literal("off"), schema]), allowed: `${allowed}, or off` };
}

/** A URL with one of the given schemes, as text. */
export function url(schemes: readonly string[]): Kind<string> {
  return {
    schema: z.string().refine((value) => URL.canParse(value) && schemes.includes(schemeOf(value))),
    allowed: `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  };
}

/** A list of URLs with one of the given schemes. */
export function urls(schemes: readonly string[]): Kind<readonly string[]> {
  const { schema, allowed } = url(schemes);
  return {
    schema: z
      .union([z.array(z.string()), z.string().transform((list) => list.split(","))])
      .transform((list) => list.map((each) => each.trim()).filter((each) => each !== ""))
      .refine((list) => list.length <= 16 && list.every((each) => schema.safeParse(each).success)),
    allowed: `a comma-separated list of up to 16, each ${allowed}`,
  };
}

function schemeOf(url: string): string {
  return new URL(url).protocol.slice(0, -1);
}

/** The collection of the domains of a zone, by its raw address. */
type DnsRootSetting = { collection: string; zone: (typeof zones)[number] };
const zones = ["ton", "t.me"] as const;

/** A list of collections of domain names, each with its zone: `<address>=ton,<address>=t.me`. */
export function optionalDnsRoots(): Kind<readonly DnsRootSetting[] | undefined> {
  return {
    schema: z
      .union([z.array(z.string()), z.string().transform((list) => list.split(","))])
      .refine((list) => list.length > 0 && list.every((each) => dnsRootsOf(each).length === 1))
      .transform((list) => list.flatMap(dnsRootsOf)),
    allowed: "a comma-separated list such as EQ...=ton,0:...=t.me",
  };
}

/** None for malformed text. */
function dnsRootsOf(text: string): DnsRootSetting[] {
  const [address = "", name, ...rest] = text.trim().split("=");
  const collection = Address.read(address)?.address.toRawUpper();
  const zone = zones.find((each) => each === name);
  return collection !== undefined && zone && rest.length === 0 ? [{ collection, zone }] : [];
}

/** A registry of sources, by its raw address, and a verifier whose items are read in it. */
type RegistrySetting = { registry: string; verifier: string };

/** A list of registries of sources, each with a verifier: `<address>=verifier.ton.org`. */
export function optionalRegistries(): Kind<readonly RegistrySetting[] | undefined> {
  return {
    schema: z
      .union([z.array(z.string()), z.string().transform((list) => list.split(","))])
      .refine(
        (list) =>
          list.length > 0 && list.length <= 4 && list.every((each) => registriesOf(each).length === 1),
      )
      .transform((list) => list.flatMap(registriesOf)),
    allowed: "a comma-separated list of up to 4 such as EQ...=verifier.ton.org",
  };
}

/** None for malformed text. */
function registriesOf(text: string): RegistrySetting[] {
  const [address = "", verifier = "", ...rest] = text.trim().split("=");
  const registry = Address.read(address)?.address.toRawUpper();
  const isNamed = /^[\w.-]{1,100}$/.test(verifier) && rest.length === 0;
  return registry !== undefined && isNamed ? [{ registry, verifier }] : [];
}

/** An integer, or a word that stands for another number. */
function integerOr<Word extends string>(word: Word, min: number, max: number): Kind<number | Word> {
  return {
    schema: z.union([z.literal(word), integer(min, max).schema]),
    allowed: `an integer from ${min} to ${max}, or ${word}`,
  };
}

/** Calls per second as an integer, or `unlimited`. */
function rate(): Kind<number | "unlimited"> {
  return integerOr("unlimited", 1, 1_000_000);
}

/** A number of processes, or `auto`. */
export function processes(): Kind<number | "auto"> {
  return integerOr("auto", 1, 64);
}

/** A rate without a default. */
export function optionalRate(): Kind<number | "unlimited" | undefined> {
  return rate();
}

/** Trusted proxies in front of the service: their number, or their networks. */
export type TrustProxy = { hops: number } | { networks: readonly string[] };

/** Whether callers come through a proxy. */
export const hasProxy = (trusted: TrustProxy): boolean => "networks" in trusted || trusted.hops > 0;

/** A number of proxies, or a list of CIDR networks. */
export function trustProxy(): Kind<TrustProxy> {
  const hops = integer(0, 16).schema.transform((count) => ({ hops: count }));
  const { schema, allowed } = cidrNetworks();
  return {
    schema: z.union([hops, schema.transform((networks) => ({ networks }))]),
    allowed: `a number of proxies from 0 to 16, or ${allowed}`,
  };
}

/** A list of CIDR networks without a default. */
export function optionalNetworks(): Kind<readonly string[] | undefined> {
  return cidrNetworks();
}

function cidrNetworks(): Kind<readonly string[]> {
  return {
    schema: z
      .union([z.array(z.string()), z.string().transform((list) => list.split(","))])
      .transform((list) => list.map((network) => network.trim()))
      .refine((list) => list.length > 0 && list.every(isNetwork)),
    allowed: "a comma-separated list of CIDR networks such as 10.0.0.0/8,fd00::/8",
  };
}

function isNetwork(text: string): boolean {
  try {
    addNetwork(new BlockList(), text);
    return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** The addresses in networks that a setting has. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list;
}

/** Adds `address` or `address/prefix` to the list; throws a RangeError for anything else. */
function addNetwork(list: BlockList, network: string): void {
  const [address = "", prefix, ...rest] = network.split("/");
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(length <= bits))
    throw new RangeError(`${network} is not a network`);
  list.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
}
