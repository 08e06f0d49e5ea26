import { Address } from "../values/address.js";
import { base64ToBytes } from "../values/bytes.js";
import { amountOf, maxInt64 } from "./devnet-params.js";
import { Fault, input, quote } from "./input.js";
import { addressText, base64Matching, decimals, matching, someBase64Pattern } from "./patterns.js";

/** New values of an account; bags of cells are not parsed yet. */
type AccountOverride = {
  readonly address: Address;
  readonly balance?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  readonly data?: Uint8Array | undefined;
};

/** A configuration parameter as a bag of cells. */
type ParamOverride = { readonly param: number; readonly boc: Uint8Array };

/** The changes that a call makes to the state it reads. */
export type Overrides = {
  readonly accounts: readonly AccountOverride[];
  /** Unix time. */
  readonly now: number | undefined;
  readonly config: readonly ParamOverride[];
};

/** Overrides as callers write them. */
type GivenOverrides = {
  readonly accounts?: readonly GivenAccount[] | undefined;
  readonly now?: number | undefined;
  readonly config?: readonly { readonly param: number; readonly boc: string }[] | undefined;
};
type GivenAccount = {
  readonly address: string;
  readonly balance?: string | undefined;
  readonly code?: string | undefined;
  readonly data?: string | undefined;
};

const limits = { accounts: 32, params: 16 } as const;
const maxTime = 2 ** 32 - 1;

const int32Schema = { type: "integer", format: "int32", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const boc = (description: string) => ({ ...base64Matching(someBase64Pattern), description });

const overridesSchema = {
  type: "object",
  "x-name": "Overrides",
  description:
    "The state that this call sees instead of the chain's; nothing of it is kept. Messages that wait for a block are left out.",
  properties: {
    accounts: {
      type: "array",
      maxItems: limits.accounts,
      description: "New values of accounts. An account that gets code or data is active.",
      items: {
        type: "object",
        properties: {
          address: { ...addressText, description: "The account, in any form." },
          balance: { ...matching(decimals(0n, maxInt64)), description: "In nanotons." },
          code: boc("Code as a bag of cells, base64."),
          data: boc("Data as a bag of cells, base64."),
        },
        required: ["address"],
        additionalProperties: false,
      },
    },
    now: {
      type: "integer",
      minimum: 1,
      maximum: maxTime,
      description: "Unix time of the run, or of the first block of an emulation.",
    },
    config: {
      type: "array",
      maxItems: limits.params,
      description: "New values of configuration parameters.",
      items: {
        type: "object",
        properties: {
          param: { ...int32Schema, description: "Number of the parameter." },
          boc: boc("The value as a bag of cells, base64."),
        },
        required: ["param", "boc"],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

/** Thrown by the readers below, and caught at the parameter. */
class Refusal extends Error {}

/** The changes that a call makes to the state it reads. */
export const overrides = input<GivenOverrides, Overrides>(overridesSchema, (given) => {
  try {
    return readOverrides(given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return new Fault("range", () => error.message);
  }
});

function readOverrides(given: unknown): Overrides {
  const { accounts, now, config } = members("overrides", given, ["accounts", "now", "config"]);
  return {
    accounts: itemsOf("overrides.accounts", accounts, limits.accounts, readAccount),
    now: now === undefined ? undefined : integerOf("overrides.now", now, { min: 1, max: maxTime }),
    config: itemsOf("overrides.config", config, limits.params, readParam),
  };
}

function readAccount(path: string, given: unknown): AccountOverride {
  const { address, balance, code, data } = members(path, given, ["address", "balance", "code", "data"]);
  const found = typeof address === "string" ? Address.read(address) : undefined;
  if (!found) throw refusal(`${path}.address is no address: ${quote(address ?? "")}`);
  return {
    address: found.address,
    balance: balance === undefined ? undefined : balanceOf(`${path}.balance`, balance),
    code: code === undefined ? undefined : bytesOf(`${path}.code`, code),
    data: data === undefined ? undefined : bytesOf(`${path}.data`, data),
  };
}

function readParam(path: string, given: unknown): ParamOverride {
  const { param, boc } = members(path, given, ["param", "boc"]);
  const number = integerOf(`${path}.param`, param, { min: -(2 ** 31), max: 2 ** 31 - 1 });
  return { param: number, boc: bytesOf(`${path}.boc`, boc) };
}

type Members<Name extends string> = { readonly [N in Name]?: unknown };

/** The members of an object. A member of another name is refused: left out silently, it would change the answer. */
function members<const Name extends string>(
  path: string,
  given: unknown,
  names: readonly Name[],
): Members<Name> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw refusal(`${path} must be an object`);
  const found: { [N in Name]?: unknown } = {};
  for (const name in given) {
    const known = names.find((each) => each === name);
    if (known === undefined)
      throw refusal(`${path} has no member ${quote(name)}; it takes ${names.join(", ")}`);
    // JSON `null` counts as absent, as in other parameters.
    const value = (given as Members<Name>)[known];
    if (value !== null) found[known] = value;
  }
  return found;
}

function itemsOf<Item>(
  path: string,
  given: unknown,
  atMost: number,
  read: (path: string, item: unknown) => Item,
): Item[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw refusal(`${path} must be an array`);
  if (given.length > atMost) throw refusal(`${path} has more than ${atMost} items`);
  return given.map((item, index) => read(`${path}[${index}]`, item));
}

function integerOf(path: string, given: unknown, { min, max }: { min: number; max: number }): number {
  const isInteger = typeof given === "number" && Number.isInteger(given) && given >= min && given <= max;
  if (!isInteger) throw refusal(`${path} must be an integer from ${min} to ${max}`);
  return given;
}

function balanceOf(path: string, given: unknown): bigint {
  const value = amountOf(given);
  if (value === undefined || value > maxInt64)
    throw refusal(`${path} must be nanotons from 0 to ${maxInt64}, as decimal digits`);
  return value;
}

function bytesOf(path: string, given: unknown): Uint8Array {
  const bytes = typeof given === "string" && given !== "" ? base64ToBytes(given) : undefined;
  if (!bytes) throw refusal(`${path} must be a bag of cells, base64`);
  return bytes;
}

function refusal(text: string): Refusal {
  return new Refusal(text);
}
