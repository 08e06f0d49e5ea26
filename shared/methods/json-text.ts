/** A result that is already JSON text, sent as it is: large answers are not parsed and serialized again. */
export class JsonText<Result> {
  readonly text: string;
  /** The type of the parsed text; exists for the compiler only. */
  declare readonly result: Result;

  constructor(text: string) {
    this.text = text;
  }
}
