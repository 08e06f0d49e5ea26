import type { AbiCoder } from "../../../shared/ton/abi/coder.js";
import { type GetMethod, type MessageList, messageLists } from "../../../shared/ton/abi/model.js";
import type { Artifact } from "../artifact.js";
import { commentText, docLines, keyText, literal, Names } from "./names.js";
import { reachedAbi } from "./reached.js";
import { TypeTexts } from "./type-texts.js";

/** Bodies that no structure describes have no names of fields. */
const empty = "{}";

/**
 * TypeScript of contracts: types of their values, and a definition of each for `typedContract` of `tonwire/contract`.
 * It imports nothing. Throws an AbiError if the types are too large.
 */
export function programOf(artifacts: readonly Artifact[]): string {
  const names = new Names();
  for (const shared of ["Address", "Boc"]) names.take(shared);
  const contracts = artifacts.flatMap(({ contract, file, coder }) =>
    coder ? [contractText(contract, file, coder(), names)] : [],
  );
  return [
    "// Written by `tonwire types`: write it again instead of changing it.",
    "/** An account, in any form; it is read as raw. */\nexport type Address = string;",
    "/** A bag of cells in base64. */\nexport type Boc = string;",
    ...contracts,
  ]
    .join("\n\n")
    .concat("\n");
}

function contractText(contract: string, file: string, coder: AbiCoder, names: Names): string {
  const { abi } = coder;
  const base = names.take(contract);
  const constant = names.take(base.charAt(0).toLowerCase() + base.slice(1));
  const typesName = names.take(`${base}Types`);
  const types = new TypeTexts(coder, names);
  const storage = [...new Set(abi.storage.map((form) => types.of(form)))].join(" | ") || "never";
  const typeMembers = [
    ...messageLists.map((list) => `  ${list}: ${messagesText(types, list)};`),
    `  storage: ${storage};`,
    `  get: ${methodsText(types, abi.getMethods)};`,
  ];
  const title = `${commentText(contract)}${abi.compiler && `, ${commentText(abi.compiler)}`}`;
  return [
    `// ${title}, from ${commentText(baseName(file))}`,
    ...types.declarations(),
    `export type ${typesName} = {\n${typeMembers.join("\n")}\n};`,
    definitionText({ constant, contract, typesName, coder }),
  ].join("\n\n");
}

/** A program is the same wherever it was written. */
function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

function messagesText(types: TypeTexts, list: MessageList): string {
  const messages = [...types.messages(list)].map(([name, fields]) => `    ${keyText(name)}: ${fields};\n`);
  return messages.length > 0 ? `{\n${messages.join("")}  }` : empty;
}

function methodsText(types: TypeTexts, methods: readonly GetMethod[]): string {
  const byName = new Map(methods.toReversed().map((method) => [method.name, method]));
  const lines = [...byName.values()]
    .reverse()
    .flatMap((method) => [
      ...docLines(method.description, "    "),
      `    ${keyText(method.name)}: ${types.method(method)};`,
    ]);
  return lines.length > 0 ? `{\n${lines.join("\n")}\n  }` : empty;
}

function definitionText({
  constant,
  contract,
  typesName,
  coder,
}: {
  constant: string;
  contract: string;
  typesName: string;
  coder: AbiCoder;
}): string {
  const { types, declarations, instances, getMethods, ...rest } = reachedAbi(coder.abi);
  const list = (name: string, items: readonly unknown[]) =>
    items.length === 0
      ? `    ${name}: [],`
      : `    ${name}: [\n${items.map((item) => `      ${literal(item)},\n`).join("")}    ],`;
  const opcodes = messageLists.flatMap((each) =>
    coder
      .messages(each)
      .flatMap(({ name, prefix }) => (prefix?.len === 32 ? [[name, prefix.num] as const] : [])),
  );
  const record = (name: string, entries: readonly string[]) =>
    entries.length === 0 ? `  ${name}: {},` : `  ${name}: {\n${entries.join("")}  },`;
  return [
    `export const ${constant} = {`,
    `  contract: ${literal(contract)},`,
    record(
      "opcodes",
      [...new Map(opcodes.toReversed())]
        .reverse()
        .map(([name, opcode]) => `    ${keyText(name)}: 0x${opcode.toString(16).padStart(8, "0")},\n`),
    ),
    record(
      "errors",
      [...coder.abi.errors]
        .sort(([a], [b]) => a - b)
        .map(([code, error]) => `    ${code < 0 ? `"${code}"` : code}: ${literal(error)},\n`),
    ),
    `  types: {} as ${typesName},`,
    "  abi: {",
    ...Object.entries(rest).map(([name, value]) => `    ${name}: ${literal(value)},`),
    list("types", types),
    list("declarations", declarations),
    list("instances", instances),
    list("getMethods", getMethods),
    "  },",
    "} as const;",
  ].join("\n");
}
