/** What a request is answered with, and what happens once it is answered. */
type Answer = { readonly body?: object | undefined; readonly after?: (() => unknown) | undefined };

export type Handler = (given: Readonly<Record<string, unknown>>) => Promise<Answer> | Answer;

/** Handlers by the commands of requests. */
export type Handlers = ReadonlyMap<string, Handler>;
