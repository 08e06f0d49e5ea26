import { z } from "zod";
import { Fault, input } from "../input.js";
import { trusts } from "./abi.js";

const maxFiles = 256;
const maxName = 200;
/** Characters: longer files are for the folder of the service. */
const maxContent = 1 << 20;

type GivenFiles = readonly { readonly file: string; readonly content: string }[];

/** Files with their content, as text. */
export const givenFiles = input<GivenFiles, GivenFiles>(
  {
    type: "array",
    minItems: 1,
    maxItems: maxFiles,
    items: {
      type: "object",
      properties: {
        file: { type: "string", minLength: 1, maxLength: maxName, description: "Name of the file." },
        content: { type: "string", maxLength: maxContent, description: "Its content." },
      },
      required: ["file", "content"],
    },
  },
  (given) => {
    if (!Array.isArray(given) || given.length === 0 || given.length > maxFiles)
      return refuse(`files should be a list of 1 to ${maxFiles} files`);
    return given.every(isFile)
      ? given.map(({ file, content }) => ({ file, content }))
      : refuse(
          `each of files should have a file name of at most ${maxName} characters, and its content as text of at most ${maxContent}`,
        );
  },
);

function isFile(item: unknown): item is GivenFiles[number] {
  if (typeof item !== "object" || item === null) return false;
  const { file, content } = item as Partial<Record<string, unknown>>;
  const isNamed = typeof file === "string" && file !== "" && file.length <= maxName;
  return isNamed && typeof content === "string" && content.length <= maxContent;
}

function refuse(text: string): Fault {
  return new Fault("range", () => text);
}

export const addedFile = z.string().min(1).max(maxName).describe("Name of the file, as it was added.");

const mapFormat = z.enum(["acton", "tolk", "func", "sections"]).nullable();

export const contractSources = z
  .object({
    contract: z.string().describe("Name of the contract."),
    trust: z.enum(trusts).describe("Who vouches for it; see `AbiSource`."),
    file: z.string().describe("Name of the file that has the sources."),
    compiler: z.string().describe("Name and version of the compiler; empty if the file does not name it."),
    map: mapFormat.describe("Format of the source map in the file; null if it has none."),
    files: z
      .array(
        z.object({
          file: z.string().describe("Name of the source file."),
          text: z.string().describe("Its text."),
        }),
      )
      .describe("The source files."),
    is_cut: z.boolean().describe("Whether files are left out, as all are too long."),
  })
  .meta({
    id: "ContractSources",
    description: "Sources that are said to be those of a contract's code. Only compiling them proves it.",
  });

export const artifact = z
  .object({
    file: z.string().describe("Name of the file."),
    format: z
      .string()
      .describe("Its format, by the tool that writes it, such as `tolk`, `tact` or `blueprint`."),
    trust: z.enum(trusts).describe("Who vouches for it; see `AbiSource`."),
    contract: z.string().describe("Name of the contract."),
    code_hashes: z.array(z.string()).describe("Hashes of the contract's code, base64."),
    compiler: z.string().describe("Name and version of the compiler; empty if the file does not name it."),
    has_abi: z.boolean().describe("Whether the file has an ABI."),
    map: mapFormat.describe("Format of the source map in the file; null if it has none."),
    sources: z.array(z.string()).describe("Names of the source files in it."),
  })
  .meta({ id: "Artifact", description: "A file about a contract: its ABI, code, sources or source map." });
