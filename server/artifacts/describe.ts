import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import { messageLists } from "../../shared/ton/abi/model.js";
import { claimedText } from "../../shared/values/claimed-text.js";
import type { Artifact } from "./artifact.js";
import { interfaceOf, Room } from "./interface.js";

const maxLine = 400;
const maxMembers = 10_000;
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
  const { storage, messages, getMethods, errors } = interfaceOf(coder, new Room(maxMembers));
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${claimedText(line, maxLine)}`)];
  return [
    `contract ${claimedText(contract)}${coder.abi.compiler && `, ${claimedText(coder.abi.compiler)}`}`,
    ...section("code", codeHashes),
    ...section("addresses", addresses),
    ...messageLists.flatMap((list) =>
      section(
        titles[list],
        messages
          .filter(({ direction }) => direction === list)
          .map(
            ({ opcode, name, fields }) =>
              `${opcode === null ? "" : `${opcode} `}${structureText(name, fields)}`,
          ),
      ),
    ),
    ...section(
      "storage",
      storage.map(({ type, fields }) => structureText(type, fields)),
    ),
    ...section(
      "get-methods",
      getMethods.map(
        ({ name, id, parameters, returns }) => `${id} ${name}(${fieldTexts(parameters)}): ${returns}`,
      ),
    ),
    ...section(
      "errors",
      errors.map(({ code, name, description }) => [code, name, description].filter(String).join(" ")),
    ),
  ];
}

type Fields = readonly { readonly name: string; readonly type: string }[];

function structureText(name: string, fields: Fields): string {
  return `${name} ${fields.length === 0 ? "{}" : `{ ${fieldTexts(fields)} }`}`;
}

function fieldTexts(fields: Fields): string {
  return fields.map(({ name, type }) => `${name}: ${type}`).join(", ");
}
