/** A result that is JSON text already, so that megabytes are not parsed and serialized again on their way out. */
export class JsonText<Result> {
  readonly text: string;
  /** Type of the value that the text encodes. Exists for the compiler only. */
  declare readonly result: Result;

  constructor(text: string) {
    this.text = text;
  }
}
