/** Ends a command that has printed its result with an exit code. */
export class CommandStatus extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`the command ends with the exit code ${code}`);
    this.code = code;
  }
}
