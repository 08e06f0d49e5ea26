/**
 * Base of the error classes that users of the client can meet. Stacks and consoles show the name of the class, which minifiers
 * change: each class has it as a literal, `static override readonly name`.
 */
export abstract class NamedError extends Error {
  /** Name of the class. */
  override get name(): string {
    return this.constructor.name;
  }
}
