import type { DebugProtocol } from "@vscode/debugprotocol";
import { RequestError } from "../service-calls.js";
import type { Part, Tree } from "./tree.js";

/** Parts of a value in one answer; clients ask for others by their number. */
const maxParts = 1000;
/** Values that a client may hold references to. */
const maxHeld = 100_000;

type Held = { readonly tree: Tree; readonly path: string };

/** The values that a client can unfold, until the next step. */
export class Variables {
  readonly #held: Held[] = [];

  clear(): void {
    this.#held.length = 0;
  }

  /** A reference to the parts of a value; 0 if it has none. `path`: the expression of the value. */
  hold(tree: Tree, path: string): number {
    if (!tree.parts) return 0;
    if (this.#held.length >= maxHeld) throw new RequestError("too many values are open: make a step first");
    return this.#held.push({ tree, path });
  }

  /** The part of a value that is held, by its name. */
  partPath(reference: number, name: string): string {
    return pathOf(this.#at(reference), name);
  }

  list(reference: number, { start = 0, count = maxParts }: { start?: number; count?: number }) {
    const held = this.#at(reference);
    const { parts } = held.tree;
    const total = parts?.count ?? 0;
    const until = Math.min(total, start + Math.min(count || maxParts, maxParts));
    const variables: DebugProtocol.Variable[] = [];
    for (let index = start; index < until; index++) {
      const part = parts!.at(index);
      variables.push(this.present(part, pathOf(held, part.name)));
    }
    return variables;
  }

  present({ name, value }: Part, path: string): DebugProtocol.Variable {
    return { name, ...this.value(value, path), evaluateName: path };
  }

  /** A value as answers have it. */
  value(tree: Tree, path: string) {
    const { text, type, parts } = tree;
    return {
      value: text,
      ...(type !== undefined && { type }),
      variablesReference: this.hold(tree, path),
      ...(parts && (parts.isList ? { indexedVariables: parts.count } : { namedVariables: parts.count })),
    };
  }

  #at(reference: number): Held {
    const held = this.#held[reference - 1];
    if (!held) throw new RequestError("the value is not known any more: ask for the scopes again");
    return held;
  }
}

function pathOf({ tree, path }: Held, name: string): string {
  if (path === "") return name;
  return tree.parts?.isList ? `${path}[${name}]` : `${path}.${name}`;
}
