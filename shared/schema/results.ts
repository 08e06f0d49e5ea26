import { z } from "zod";

// Text forms of answers, named as documents name them.

export const rawAddress = z
  .string()
  .regex(/^-?\d+:[0-9a-f]{64}$/)
  .describe("Address as `<workchain>:<64 hex>`, lower case.");

export const rawAddressUpper = z
  .string()
  .regex(/^-?\d+:[0-9A-F]{64}$/)
  .describe("Address as `<workchain>:<64 HEX>`, upper case.");

export const friendlyAddress = z
  .string()
  .regex(/^[A-Za-z0-9_-]{48}$/)
  .describe("Address in the friendly form, base64url.");

export const hashBase64 = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/)
  .describe("256-bit hash in base64.");

export const hashHex = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe("256-bit hash in lower-case hex.");
