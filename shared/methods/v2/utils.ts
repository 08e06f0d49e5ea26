import { z } from "zod";
import { friendlyAddress, hashBase64, hashHex, rawAddress, rawAddressUpper } from "../../forms/values.js";
import { nonEmptyHash, parsedAddress } from "../../schema/v2/params.js";
import { defineMethod } from "../define.js";

const rawExample = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const bounceableExample = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const nonBounceableExample = "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI";

const variant = z.object({
  "@type": z.literal("ext.utils.detectedAddressVariant").describe("Type of the record."),
  b64: z.string().describe("The form in standard base64."),
  b64url: friendlyAddress.describe("The form in base64url."),
});

const common = { group: "Utils", verbs: ["GET", "POST"], freshness: { kind: "none" } } as const;

export const utilMethods = {
  detectAddress: defineMethod({
    ...common,
    summary: "All forms of an address.",
    params: z.object({ address: parsedAddress.describe("Address in any form.") }),
    result: z.object({
      "@type": z.literal("ext.utils.detectedAddress").describe("Type of the record."),
      raw_form: rawAddress,
      bounceable: variant.describe("Bounceable form, for contracts: failed transfers bounce."),
      non_bounceable: variant.describe(
        "Non-bounceable form, for wallets: accepts transfers before deployment.",
      ),
      given_type: z
        .enum(["raw_form", "friendly_bounceable", "friendly_non_bounceable"])
        .describe("Form of the given address."),
      test_only: z.boolean().describe("Whether the given form is for test networks only."),
    }),
    examples: [
      {
        params: { address: rawExample },
        result: {
          "@type": "ext.utils.detectedAddress",
          raw_form: rawExample,
          bounceable: {
            "@type": "ext.utils.detectedAddressVariant",
            b64: bounceableExample,
            b64url: bounceableExample,
          },
          non_bounceable: {
            "@type": "ext.utils.detectedAddressVariant",
            b64: nonBounceableExample,
            b64url: nonBounceableExample,
          },
          given_type: "raw_form",
          test_only: false,
        },
      },
    ],
  }),

  detectHash: defineMethod({
    ...common,
    summary: "All forms of a hash.",
    params: z.object({ hash: nonEmptyHash.describe("256-bit hash in hex, base64 or base64url.") }),
    result: z.object({
      "@type": z.literal("ext.utils.detectedHash").describe("Type of the record."),
      b64: hashBase64,
      b64url: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/)
        .describe("The hash in base64url without padding."),
      hex: hashHex,
    }),
    examples: [
      {
        params: { hash: "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3" },
        result: {
          "@type": "ext.utils.detectedHash",
          b64: "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=",
          b64url: "CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM",
          hex: "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3",
        },
      },
    ],
  }),

  packAddress: defineMethod({
    ...common,
    summary: "The friendly form of an address.",
    description: "A raw address becomes bounceable; the flags of a friendly one are kept.",
    params: z.object({ address: parsedAddress.describe("Address in any form.") }),
    result: friendlyAddress,
    examples: [{ params: { address: rawExample }, result: bounceableExample }],
  }),

  unpackAddress: defineMethod({
    ...common,
    summary: "The raw form of an address.",
    params: z.object({ address: parsedAddress.describe("Address in any form.") }),
    result: rawAddressUpper,
    examples: [
      {
        params: { address: bounceableExample },
        result: "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8",
      },
    ],
  }),
};
