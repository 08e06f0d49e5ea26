import { readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  readTrustRecord,
  type TrustRecord,
  type TrustStore,
  trustRecordText,
} from "../../../shared/ton/proofs/verify/trust/trust-record.js";
import { SetupError } from "../../errors.js";
import { makeFolder } from "../../os/folder.js";
import { ifMissing } from "../../os/if-missing.js";
import { replaceFile } from "../../os/replace-file.js";

const fileName = "trust.json";

/** `trust.json` of a data directory. */
export class TrustFile implements TrustStore {
  readonly name = fileName;
  readonly path: string;
  readonly #isReader: boolean;

  /** `isReader`: another process writes the file, and this one only reads it. */
  constructor(directory: string, isReader = false) {
    this.path = join(directory, fileName);
    this.#isReader = isReader;
  }

  /** An invalid file is renamed to `trust.json.bad`. Throws a SetupError if renaming fails. */
  async read(onBad: (problem: string, outcome: string) => void): Promise<TrustRecord | undefined> {
    try {
      const text = await readFile(this.path, "utf8").catch(ifMissing(undefined));
      return text === undefined ? undefined : readTrustRecord(text);
    } catch (error) {
      const problem = (error as Error).message;
      await setAside(this.path, problem);
      onBad(problem, `renamed to ${fileName}.bad`);
      return undefined;
    }
  }

  async write(record: TrustRecord): Promise<void> {
    if (this.#isReader) return;
    makeFolder(dirname(this.path));
    await replaceFile(this.path, trustRecordText(record));
  }
}

async function setAside(path: string, problem: string): Promise<void> {
  try {
    await rename(path, `${path}.bad`);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new SetupError(`${path} is invalid (${problem}) and cannot be renamed (${reason}): remove it`, {
      cause,
    });
  }
}
