import { z } from "zod";
import { addedFile, artifact, givenFiles } from "../../schema/v3/artifacts.js";
import { defineMethod } from "../define.js";

const common = { group: "Utils", needsKey: true } as const;
const effect = { ...common, verbs: ["POST"], freshness: { kind: "effect" } } as const;

const exampleFile = "build/Counter.compiled.json";
const exampleContent =
  '{"hash":"7b2f1c0e5d3a49688f0b6c2d1e9a7f5430b8c6d4e2f1a3958776655443322110","hex":"b5ee9c72"}';
const exampleArtifact = {
  file: exampleFile,
  format: "blueprint",
  trust: "own" as const,
  contract: "Counter",
  code_hashes: ["ey8cDl06SWiPC2wtHpp/VDC4xtTi8aOVh3ZlVEMyIRA="],
  compiler: "",
  has_abi: false,
  map: null,
  sources: [],
};

/** The methods `v3.debug.artifacts`: files about contracts, by key. */
export const artifactMethods = {
  add: defineMethod({
    ...effect,
    summary: "Adds files of contracts, whose names the answers to this key then use.",
    description:
      "ABIs of Tolk and Tact, outputs of compilers with code, sources and source maps, and codes compiled by Blueprint. " +
      "Files that the key has added under the same names are replaced. A key has at most 256 files of together 8 MiB, in the memory of the service: a restart forgets them, and other " +
      "instances of the service do not have them. They come after the files of the operator's folder. On a devnet all other callers have them too, after their own and as `claimed`. Longer files are read from the folder of `--artifacts`. " +
      "Needs an API key; on a devnet, callers on its machine need none.",
    params: z.object({ files: givenFiles.describe("The files.") }),
    result: z.object({
      artifacts: z.array(artifact).describe("What each file is, in the order of the files."),
    }),
    errors: ["conflict"],
    examples: [
      {
        params: { files: [{ file: exampleFile, content: exampleContent }] },
        result: { artifacts: [exampleArtifact] },
      },
    ],
  }),

  list: defineMethod({
    ...common,
    verbs: ["GET"],
    freshness: { kind: "none" },
    summary: "The files that were added with the caller's key.",
    params: z.object({}),
    result: z.object({ artifacts: z.array(artifact).describe("The files, in the order of their names.") }),
    examples: [{ params: {}, result: { artifacts: [exampleArtifact] } }],
  }),

  remove: defineMethod({
    ...effect,
    summary: "Removes a file that was added with the caller's key.",
    params: z.object({ file: addedFile }),
    result: z.boolean().describe("Whether there was such a file."),
    examples: [{ params: { file: exampleFile }, result: true }],
  }),
};
