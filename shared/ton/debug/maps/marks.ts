/** A place in a source file. Lines and columns count from one. */
export type SourcePlace = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Absent where a compiler states only where something begins. */
  readonly endLine?: number;
  readonly endColumn?: number;
};

/** What a compiler states about a place in a code. Slots number the values of a function. */
export type Mark =
  | { readonly kind: "place"; readonly place: SourcePlace; readonly function: string | undefined }
  /** A function begins. Those that are inlined by the compiler begin within another one; their place is that of the call. */
  | {
      readonly kind: "enter";
      readonly function: string;
      readonly isInlined: boolean;
      readonly isBuiltin: boolean;
      readonly place: SourcePlace | undefined;
      /** Its arguments on the stack, bottom to top. */
      readonly slots: readonly number[];
    }
  | { readonly kind: "leave"; readonly place: SourcePlace | undefined; readonly function: string | undefined }
  /** What is on top of the stack, bottom to top. */
  | { readonly kind: "stack"; readonly slots: readonly number[] }
  /** As `stack`, of variables that are one value each and, without others, all of the function. */
  | { readonly kind: "names"; readonly names: readonly string[] }
  | {
      readonly kind: "variable" | "narrowed" | "global";
      readonly name: string;
      readonly type: number | undefined;
      readonly slots: readonly number[];
    }
  | { readonly kind: "scope" | "scopeEnd" };

/** The order of the marks of one place in time, which their numbers do not have where an assembler put functions into others. */
export function inOrder<M extends { readonly id: number; readonly marks: readonly Mark[] }>(
  marks: readonly M[],
): M[] {
  if (marks.length < 2) return [...marks];
  const runs: { marks: M[]; rank: number }[] = [];
  for (const mark of marks) {
    const last = runs.at(-1);
    if (last && last.marks.at(-1)?.id === mark.id - 1) last.marks.push(mark);
    else runs.push({ marks: [mark], rank: 0 });
  }
  // What ends here comes before what goes on, and that before what begins.
  for (const run of runs) run.rank = rankOf(run.marks.flatMap(({ marks }) => marks));
  return runs
    .sort((a, b) => a.rank - b.rank || (a.rank === ranks.begins ? idOf(b) - idOf(a) : idOf(a) - idOf(b)))
    .flatMap((run) => run.marks);
}

const ranks = { ends: 0, goesOn: 1, begins: 2 } as const;

function rankOf(marks: readonly Mark[]): number {
  if (marks.some((mark) => mark.kind === "enter" && !mark.isInlined)) return ranks.begins;
  return marks.some(({ kind }) => kind === "leave") ? ranks.ends : ranks.goesOn;
}

function idOf({ marks }: { marks: readonly { readonly id: number }[] }): number {
  return marks[0]?.id ?? 0;
}
