import type { LoggedStep } from "../tvm/machine-log.js";

const instruction = /^THROW(?:ARG)?(?<any>ANY)?(?<condition>IFNOT|IF)?(?: (?<code>\d+))?$/;

/**
 * The code of the exception that a step throws, also of one that the contract catches, which the log does not tell.
 * `stack`: the values before it, bottom to top.
 */
export function thrownCode({ text, error }: LoggedStep, stack: readonly string[]): number | undefined {
  if (error) return error.code;
  const { any, condition, code } = instruction.exec(text ?? "")?.groups ?? {};
  if (any === undefined && code === undefined) return undefined;
  const isSet = stack.at(-1) !== "0";
  if (condition !== undefined && isSet !== (condition === "IF")) return undefined;
  return Number(code ?? stack.at(condition === undefined ? -1 : -2));
}
