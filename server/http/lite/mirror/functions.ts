import type { Verb } from "../../../../shared/methods/define.js";
import type { Field } from "../../../../shared/ton/tl/declaration.js";
import { functionOf, liteMethods } from "../../../../shared/ton/tl/lite-functions.js";

/** A function of a liteserver as REST: its name, parameters and the type of its answer. */
export type Mirror = {
  /** Its name in TL. */
  readonly name: string;
  readonly path: string;
  readonly verbs: readonly Verb[];
  /** Its fields with content, `mode` excluded. */
  readonly fields: readonly Field[];
  /** Options by their names in REST, and their bits in `mode`. */
  readonly options: ReadonlyMap<string, number>;
  readonly hasMode: boolean;
  /** The constructor of its answer. */
  readonly answer: string;
};

const prefix = "liteServer.";
export const mirrorPath = "/api/lite/v1";

/** All functions that liteservers answer. */
export const mirrors: readonly Mirror[] = liteMethods.map((method) => {
  const { declaration, answer, bits } = functionOf(method);
  const flags = declaration.fields.flatMap(({ name, type, flag }): [string, number][] =>
    type.kind === "true" && flag ? [[name, flag.bit]] : [],
  );
  return {
    name: declaration.name,
    path: `${mirrorPath}/${declaration.name.slice(prefix.length)}`,
    verbs: method === "sendMessage" ? ["POST"] : ["GET", "POST"],
    fields: declaration.fields.filter(({ name, type }) => name !== "mode" && type.kind !== "true"),
    options: new Map([...bits, ...flags].map(([name, bit]) => [snakeCase(name), bit])),
    hasMode: declaration.fields.some(({ name }) => name === "mode"),
    answer: answer.name,
  };
});

/** The name of a field as lite_api.tl spells it. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
