import type { Call, ParamsOf } from "../../../shared/methods/define.js";
import type { debugStateMethods } from "../../../shared/methods/v3/debug-state.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { presentDebugCode } from "../../../shared/ton/present/v3/debug-code.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { libraryHashes } from "../../../shared/ton/run/code-libraries.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import type { Abis } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { ServiceError } from "../../errors.js";
import type { IndexDeps } from "../../present/v3/answer-extras.js";
import { readCode } from "../../store/queries/accounts/codes.js";
import { cellOfBoc } from "../input/cells.js";
import { readAccount } from "../v2/read-account.js";
import { givenBy } from "./opened-run.js";
import type { RunSources } from "./run-sources.js";

export type DebugCodeDeps = Pick<IndexDeps, "index"> & {
  hasIndex: boolean;
  reader: Pick<ChainReader, "account" | "blockAt" | "libraries">;
  runSources: RunSources;
  artifacts: Abis;
};

type Asked = ParamsOf<typeof debugStateMethods.code>;

export async function readDebugCode(asked: Asked, deps: DebugCodeDeps, call: Call) {
  const given = await givenBy(asked, deps, call);
  const code = await codeOf(asked, deps, call);
  if (!code) throw new ServiceError("absent", "code was not found", { data: { kind: "code" } });
  const hashes = libraryHashes(code);
  const found = hashes.length > 0 ? await deps.reader.libraries(hashes, call) : [];
  const libraries = Dictionary.empty(bytesKey(32), cellRef).update(
    found.map(({ hash, cell }) => [hash, cell]),
  );
  const account = asked.account?.toRawUpper();
  return paidTurns(call)(() => {
    const artifacts = given ? given.over(deps.artifacts, code) : deps.artifacts;
    const sources = deps.runSources.of({ code, account, libraries: libraries.root }, artifacts);
    return presentDebugCode(code, sources);
  });
}

async function codeOf(
  { code_hash, account, seqno }: Asked,
  deps: DebugCodeDeps,
  call: Call,
): Promise<Cell | undefined> {
  if (account) {
    const block = await deps.reader.blockAt(seqno, call);
    return (await readAccount(deps.reader, block, account, call)).code;
  }
  if (!code_hash) return undefined;
  const [library] = await deps.reader.libraries([code_hash], call);
  if (library || !deps.hasIndex) return library?.cell;
  const boc = await deps.index.read(call, (queries) => readCode(queries, code_hash));
  const bytes = boc === undefined ? undefined : base64ToBytes(boc);
  return bytes && cellOfBoc(bytes);
}
