/** A result that is JSON text already, so that nobody on its way has to read megabytes and write them again. */
export class JsonText<Result> {
  readonly text: string;
  /** What the text says; there is no such value. */
  declare readonly result: Result;

  constructor(text: string) {
    this.text = text;
  }
}
