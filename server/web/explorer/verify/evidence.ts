import type { Exchange } from "../../../../shared/ton/lite/exchange.js";
import type { ProofError } from "../../../../shared/ton/proofs/verify/proof-error.js";
import { formatBlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import type { Outcome } from "./outcome.js";
import type { StartBlock } from "./start-block.js";

type Circumstances = {
  readonly service: string;
  readonly page: string;
  readonly start: StartBlock | undefined;
};

/** All that shows a proof or a lie to others, as JSON: the values, and the bytes that were asked and answered. */
export function evidenceText(
  outcome: Exclude<Outcome, { kind: "failed" }>,
  { service, page, start }: Circumstances,
): string {
  const { kind, claim, proved } = outcome;
  const error = outcome.kind === "contradicted" ? outcome.error : undefined;
  const block = error ? error.evidence.block : proved?.head;
  const bytes = error ? error.evidence.bytes : proved?.exchanges;
  const record = {
    outcome: kind,
    service,
    page,
    subject: claim.subject,
    claimed: claim.values,
    ...(proved && { proven: proved.result.values }),
    ...(error && { error: error.message, method: error.evidence.method }),
    ...(block && { block: formatBlockIdExt(block) }),
    start,
    answers: answersOf(bytes),
  };
  return `${JSON.stringify(record, null, 1)}\n`;
}

/** All that shows a lie about a transaction that was debugged, as JSON. */
export function lieText({ message, evidence }: ProofError, { service, page, start }: Circumstances): string {
  const { method, field, claimed, proven, block, bytes } = evidence;
  const record = {
    ...{ outcome: "contradicted", service, page, error: message, method, field, claimed, proven },
    ...(block && { block: formatBlockIdExt(block) }),
    start,
    answers: answersOf(bytes),
  };
  return `${JSON.stringify(record, null, 1)}\n`;
}

function answersOf(bytes: readonly Exchange[] = []) {
  return bytes.map(({ method, query, answer }) => ({
    method,
    query: bytesToBase64(query),
    answer: bytesToBase64(answer),
  }));
}
