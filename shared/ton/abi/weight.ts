import type { ContractAbi } from "./model.js";

/** Of a type, a member of one, a message or a method: with the kind, the label and the name that are made when it is used. */
const bytesOfPart = 512;

/** About how many bytes of memory a read ABI takes. They can be many times as many as its text has. */
export function weightOf(abi: ContractAbi, messages: number): number {
  let parts = abi.types.length + messages + abi.errors.size;
  for (const type of abi.types) if (type.kind === "union") parts += type.variants.length;
  for (const declared of abi.declarations.values()) {
    if (declared.kind === "struct") for (const fields of declared.cells) parts += fields.length;
    if (declared.kind === "enum") parts += declared.members.length;
  }
  for (const fields of abi.instances.values()) parts += fields.length;
  for (const { parameters } of abi.getMethods) parts += 1 + parameters.length;
  return parts * bytesOfPart;
}
