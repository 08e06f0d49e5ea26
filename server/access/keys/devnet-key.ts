import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Config, keysFileOf } from "../../config/settings.js";
import type { Fallback } from "../../observe/fallback.js";
import { whyUnreadable } from "../../os/file-owner.js";
import { makeFolder } from "../../os/folder.js";
import { KeyStoreError, newKeyText } from "./key-file.js";

/** The devnet's own key, and the file that it is in, if there is one. */
export type DevnetKey = { readonly text: string; readonly path?: string };

const fileName = "devnet.key";
const keyPattern = /^tw_devnet_[\w-]{43}$/;
const notThere = new Set(["ENOENT", "ENOTDIR"]);

/**
 * The key of a devnet; `undefined` on other networks. With a data folder or a configured key store, a new key is
 * written beside that store: it survives restarts, and processes that share the store share it. Without them it lasts
 * for one run.
 */
export function openDevnetKey(
  config: Pick<Config, "network" | "devnetKey" | "keysFile" | "data">,
  fallback: Fallback,
): DevnetKey | undefined {
  const { network, devnetKey, keysFile, data } = config;
  if (network !== "devnet") return undefined;
  if (devnetKey !== undefined) return { text: devnetKey };
  if (keysFile === undefined && data === undefined) return { text: newKeyText(network) };
  const path = join(dirname(keysFileOf(config)), fileName);
  const stored = readKey(path);
  if (stored !== undefined) return { text: stored, path };
  return writeKey(path, newKeyText(network), fallback);
}

function readKey(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    if (notThere.has(error.code ?? "")) return undefined;
    throw new KeyStoreError(`the devnet's key ${path} cannot be read: ${whyUnreadable(path, error)}`, {
      cause,
    });
  }
  if (!keyPattern.test(text))
    throw new KeyStoreError(`${path} is not a key of a devnet: remove it, and the next start makes another`);
  return text;
}

/** Another process may have been first: then its key is returned. A folder that cannot be written to leaves a key for this run. */
function writeKey(path: string, text: string, fallback: Fallback): DevnetKey {
  makeFolder(dirname(path));
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, `${text}\n`);
    } finally {
      closeSync(file);
    }
    return { text, path };
  } catch (error) {
    const other = readKey(path);
    if (other !== undefined) return { text: other, path };
    fallback("devnet-key", error);
    return { text };
  }
}
