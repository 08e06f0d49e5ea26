import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for what files of a run share: `oncePerRun` of `test/helpers/once-per-run.ts` fills it. */
export default function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "tonwire-run-"));
  // PostgreSQL reads it as another user.
  chmodSync(folder, 0o755);
  process.env["TONWIRE_TEST_RUN"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
