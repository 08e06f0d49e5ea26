import { z } from "zod";
import { rule } from "../../schema/input.js";
import { contractAbi } from "../../schema/v3/abi.js";
import { contractSources } from "../../schema/v3/artifacts.js";
import { address, bool, hash, opcode } from "../../schema/v3/params.js";
import { defineMethod } from "../define.js";

export const debugMethods = {
  debug: {
    abi: defineMethod({
      summary: "Interface of a contract: what its ABIs say.",
      description:
        "ABIs of a code, of an account, or with a message of an opcode, which are guesses. The best comes first: those of the service's operator before those of its catalogue and built-in ones, those by code before those by address, and newer compilers before older ones. Names and texts are statements of others: `trust` says whose.",
      group: "Utils",
      verbs: ["GET", "POST"],
      freshness: { kind: "none" },
      params: z
        .object({
          code_hash: hash.optional().describe("Hash of the contract's code."),
          account: address.optional().describe("The contract; its code is read from the chain."),
          opcode: opcode.optional().describe("First 32 bits of a message's body."),
          include_abi: bool
            .prefault(false)
            .describe("Include `abi`: the ABI as its file has it, for programs that read such files."),
          include_sources: bool
            .prefault(false)
            .describe("Include `sources`: the source files of the contract, by `code_hash` or `account`."),
        })
        .check(
          rule(({ code_hash, account, opcode }) => {
            const given = [code_hash, account, opcode].filter((each) => each !== undefined);
            if (given.length === 0) return "code_hash, account or opcode is required";
            return given.length > 1 ? "only one of code_hash, account, opcode can be given" : undefined;
          }),
        ),
      result: z.object({
        matches: z.array(contractAbi).describe("ABIs, the best first: 8 at most."),
        sources: z
          .array(contractSources)
          .optional()
          .describe("On request: sources of the code, the best first: 8 at most."),
      }),
      errors: ["liteserver-error"],
      examples: [
        { params: { opcode: "0x7e8764ef" }, story: { opcode: "0x0f8a7ea5" }, result: { matches: [] } },
      ],
    }),
  },
};
