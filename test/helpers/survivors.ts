import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Arguments of Node for a child process whose survivors are counted. */
export const countsSurvivors = ["--import", new URL("survivors-probe.mjs", import.meta.url).href];

/** Scavenges during some work, and the bytes that they copied because something still referred to them. */
type Survivors = { readonly scavenges: number; readonly survived: number };

/**
 * Counts what a child process keeps of work that is done beyond a collection of the young generation. A program that keeps
 * each request until the next full collection takes the time of that, which no clock of a shared machine shows.
 */
export async function survivorsOf(child: ChildProcess, work: () => Promise<void>): Promise<Survivors> {
  await ask(child, "watch scavenges");
  await work();
  return ask(child, "survivors");
}

async function ask(child: ChildProcess, question: string): Promise<Survivors> {
  const answer = once(child, "message") as Promise<[Survivors]>;
  child.send(question);
  return (await answer)[0];
}
