import { claimedText } from "../../shared/text/claimed-text.js";
import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import { type ContractAbi, type Field, messageLists, type TypeIndex } from "../../shared/ton/abi/model.js";
import type { Artifact } from "./artifact.js";

const maxLine = 400;
const titles = {
  incoming: "messages",
  external: "messages from outside",
  outgoing: "messages it sends",
  events: "events",
} as const;

/** One line for each file that is an artifact: contract, format, trust, code hashes, file. */
export function artifactRows(artifacts: readonly Artifact[]): string[][] {
  return artifacts.map(({ contract, format, trust, codeHashes, file }) => [
    claimedText(contract),
    format,
    trust,
    codeHashes.length > 1 ? `${codeHashes[0]} and ${codeHashes.length - 1} more` : (codeHashes[0] ?? "-"),
    claimedText(file, maxLine),
  ]);
}

/** The interface of a contract, in the words of Tolk. */
export function describeContract({ contract, codeHashes, addresses }: Artifact, coder: AbiCoder): string[] {
  const { abi } = coder;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${claimedText(line, maxLine)}`)];
  return [
    `contract ${claimedText(contract)}${abi.compiler && `, ${claimedText(abi.compiler)}`}`,
    ...section("code", codeHashes),
    ...section("addresses", addresses),
    ...messageLists.flatMap((list) =>
      section(
        titles[list],
        coder.messages(list).map(({ name, prefix, type }) => {
          const opcode = prefix
            ? `0x${prefix.num.toString(16).padStart(Math.ceil(prefix.len / 4), "0")} `
            : "";
          return `${opcode}${structureText(coder, type) ?? name}`;
        }),
      ),
    ),
    ...section(
      "storage",
      abi.storage.map((type) => structureText(coder, type) ?? coder.nameOf(type)),
    ),
    ...section(
      "get-methods",
      abi.getMethods.map(
        ({ name, id, parameters, returns }) =>
          `${id} ${name}(${fieldTexts(coder, parameters)}): ${coder.nameOf(returns)}`,
      ),
    ),
    ...section(
      "errors",
      [...abi.errors].map(([code, { name, description }]) =>
        [code, name, description].filter(String).join(" "),
      ),
    ),
  ];
}

/** A structure with its fields; `undefined` for other types. */
function structureText(coder: AbiCoder, type: TypeIndex): string | undefined {
  const declared = structureOf(coder.abi, type);
  if (!declared) return undefined;
  const fields = fieldTexts(coder, declared.cells.flat());
  return `${declared.name} ${fields === "" ? "{}" : `{ ${fields} }`}`;
}

function structureOf(abi: ContractAbi, index: TypeIndex) {
  const type = abi.types[index];
  const declared = type?.kind === "struct" ? abi.declarations.get(type.name) : undefined;
  return declared?.kind === "struct" ? declared : undefined;
}

function fieldTexts(coder: AbiCoder, fields: readonly Field[]): string {
  return fields.map(({ name, type }) => `${name}: ${coder.nameOf(type)}`).join(", ");
}
