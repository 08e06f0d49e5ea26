/** A parameter that a method refused: an item of `refused` in `error.data` of the strict dialect. */
export type RefusedParam = {
  /** Its name. */
  readonly param: string;
  /** Index of the refused item, if it is a list. */
  readonly index?: number;
  /** What it takes, in words with an article. */
  readonly wanted: string;
  /** The beginning of what was given. Absent if it is missing. */
  readonly given?: unknown;
  /** Why it was refused, where it is not for its form. */
  readonly reason?: string;
};
