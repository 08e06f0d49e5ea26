import { z } from "zod";
import { bocBase64, hashBase64 } from "../../forms/values.js";
import { Fault, rule } from "../../schema/input.js";
import { hashes, int32 } from "../../schema/v2/params.js";
import { tvmCell, typeName } from "../../schema/v2/records.js";
import { defineMethod } from "../define.js";

const group = "Configuration";
const verbs = ["GET", "POST"] as const;
const errors = ["liteserver-error"] as const;
const maxLibraries = 16;

const seqno = int32({ atLeast: 1 })
  .optional()
  .describe("Masterchain block to read at. Default: the last one.");

const configInfo = z.object({
  "@type": typeName("configInfo"),
  config: tvmCell.describe("The cell; empty if the parameter is not set."),
});

export const configMethods = {
  getConfigParam: defineMethod({
    summary: "One parameter of the network configuration.",
    group,
    verbs,
    params: z
      .object({
        param: int32().optional().describe("Number of the parameter; networks use negative ones too."),
        config_id: int32()
          .optional()
          .describe(
            "Alias of `param`; exactly one of them is required. If a GET has both, this one takes precedence.",
          ),
        seqno,
      })
      .check(
        rule(({ param, config_id }) =>
          (param === undefined) !== (config_id === undefined)
            ? undefined
            : "only one of config_id or param should be specified",
        ),
      ),
    winsInQuery: ["config_id", "param"],
    result: configInfo,
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    errors,
    examples: [
      {
        params: { param: 1 },
        result: {
          "@type": "configInfo",
          config: {
            "@type": "tvm.cell",
            bytes: "te6cckEBAQEAIgAAQDMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzwqnziA==",
          },
        },
      },
      {
        params: { config_id: 999 },
        result: { "@type": "configInfo", config: { "@type": "tvm.cell", bytes: "" } },
      },
    ],
  }),

  getConfigAll: defineMethod({
    summary: "The whole network configuration.",
    description: "The dictionary of parameters, whose keys are signed 32-bit numbers.",
    group,
    verbs,
    params: z.object({ seqno }),
    result: configInfo,
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    errors,
    examples: [
      {
        params: {},
        result: {
          "@type": "configInfo",
          config: { "@type": "tvm.cell", bytes: "te6cckEBAQEAAgAAAEysuc0=" },
        },
      },
    ],
  }),

  getLibraries: defineMethod({
    summary: "Public libraries by hash.",
    group,
    verbs,
    params: z
      .object({
        libraries: hashes.prefault([]).describe(`Hashes of the libraries, at most ${maxLibraries}.`),
      })
      .check(
        rule(({ libraries }) =>
          libraries.length > maxLibraries
            ? new Fault(
                "bare",
                () =>
                  `INVALID_FIELD: Field library_list has invalid value : too many libraries requested, ${maxLibraries} maximum`,
                { status: 400 },
              )
            : undefined,
        ),
      ),
    result: z.object({
      "@type": typeName("smc.libraryResult"),
      result: z
        .array(
          z.object({
            "@type": typeName("smc.libraryEntry"),
            hash: hashBase64.describe("Hash of the library."),
            data: bocBase64.describe("Its cell."),
          }),
        )
        .describe("The libraries found; unknown ones are omitted."),
    }),
    freshness: { kind: "head" },
    errors,
    examples: [
      {
        params: { libraries: ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="] },
        result: { "@type": "smc.libraryResult", result: [] },
      },
    ],
  }),
};
