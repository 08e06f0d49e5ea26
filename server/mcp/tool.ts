import type { z } from "zod";
import type { Answer } from "./answers/answer.js";
import type { Place } from "./answers/cursor.js";
import type { Session } from "./session.js";

/** Arguments of a call by name, as the caller wrote them; their schema has accepted them. */
export type Args = Readonly<Record<string, unknown>>;

/** A tool for models: one or several methods of the registry, with a text that says what it is for. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Methods that it cannot do without. It is offered to callers who may call all of them. */
  readonly methods: readonly string[];
  readonly input: z.ZodObject;
  /** Whether answers are lists, which a cursor continues. */
  readonly isList: boolean;
  /** Whether calls change the devnet. */
  readonly changes: boolean;
  /** Whether a call can discard what a later one cannot bring back. */
  readonly discards?: true;
  run(args: Args, session: Session, from: Place): Promise<Answer>;
};
