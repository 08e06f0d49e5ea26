import type { TestProject } from "vitest/node";
import { startDevnet } from "../../../server/process/workers/devnet-library.js";

declare module "vitest" {
  interface ProvidedContext {
    devnet: SuiteDevnet;
  }
}

/** The devnet that all programs of a run call. */
export type SuiteDevnet = {
  readonly url: string;
  /** An API key without limits. */
  readonly key: string;
  /** Wallets of the sample data by their owner's name. */
  readonly wallets: Readonly<Record<string, { readonly address: string; readonly mnemonic: string }>>;
};

/** Starts a devnet with the sample data once for all suites. */
export default async function serveDevnet(project: TestProject): Promise<() => Promise<void>> {
  const devnet = await startDevnet({ story: true });
  const wallets = Object.fromEntries(devnet.wallets.map((wallet) => [wallet.name, wallet]));
  project.provide("devnet", { url: devnet.url, key: devnet.key, wallets });
  return () => devnet.close();
}
