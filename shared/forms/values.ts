import { z } from "zod";

// Common value types of results, with their descriptions for the documents.

export const rawAddress = z
  .string()
  .regex(/^-?\d+:[0-9a-f]{64}$/)
  .meta({ id: "RawAddress", description: "Address as `<workchain>:<64 hex>`, lower case." });

export const rawAddressUpper = z
  .string()
  .regex(/^-?\d+:[0-9A-F]{64}$/)
  .meta({ id: "RawAddressUpper", description: "Address as `<workchain>:<64 HEX>`, upper case." });

export const friendlyAddress = z
  .string()
  .regex(/^[A-Za-z0-9_-]{48}$/)
  .meta({ id: "FriendlyAddress", description: "Address in the friendly form, base64url." });

export const hashBase64 = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/)
  .meta({ id: "HashBase64", description: "256-bit hash in base64." });

export const hashHex = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ id: "HashHex", description: "256-bit hash in lower-case hex." });

export const publicKeyHex = z
  .string()
  .regex(/^[0-9A-F]{64}$/)
  .describe("Public key in upper-case hex.");

export const logicalTime = z
  .string()
  .regex(/^\d+$/)
  .meta({ id: "LogicalTime", description: "Logical time, decimal." });

export const shardNumber = z
  .string()
  .regex(/^-?\d+$/)
  .meta({
    id: "ShardNumber",
    description: "Shard as a signed decimal; `-9223372036854775808` is a whole workchain.",
  });

export const nanotons = z
  .string()
  .regex(/^\d+$/)
  .meta({ id: "Nanotons", description: "Amount in nanotons, decimal." });

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const bytesBase64 = z
  .string()
  .regex(base64)
  .meta({ id: "BytesBase64", description: "Bytes in base64; empty if there are none." });

export const bocBase64 = z
  .string()
  .regex(base64)
  .meta({ id: "BocBase64", description: "Bag of cells in base64; empty if there is no cell." });

export const hashOrNone = z
  .string()
  .regex(/^(?:[A-Za-z0-9+/]{43}=)?$/)
  .meta({ id: "HashOrNone", description: "256-bit hash in base64; empty if there is none." });

export const addressOrNone = z
  .string()
  .regex(/^(?:[A-Za-z0-9_-]{48})?$/)
  .meta({
    id: "AddressOrNone",
    description: "Address in the friendly form, base64url; empty if there is none.",
  });

// Numbers whose range is known. Numbers from the storage of contracts may be any integer.
export const signed32 = z.int32();
export const unsigned32 = z.uint32();
/** How many there are. */
export const quantity = z.int32().min(0);
export const unixTime = unsigned32.describe("Unix time in seconds.");

/** An integer that a contract states; it may be negative. */
export const integerText = z
  .string()
  .regex(/^-?\d+$/)
  .meta({ id: "IntegerText", description: "Decimal integer." });

export const extraCurrencies = z
  .record(z.string(), z.string())
  .meta({ id: "ExtraCurrencies", description: "Amounts of extra currencies by their ids." });

export const opcodeHex = z
  .string()
  .regex(/^0x[0-9a-f]{8}$/)
  .meta({ id: "OpcodeHex", description: "First 32 bits of the body." });
