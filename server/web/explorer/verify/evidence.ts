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
    answers: (bytes ?? []).map(({ method, query, answer }) => ({
      method,
      query: bytesToBase64(query),
      answer: bytesToBase64(answer),
    })),
  };
  return `${JSON.stringify(record, null, 1)}\n`;
}
