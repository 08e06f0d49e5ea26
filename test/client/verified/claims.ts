import {
  type Client,
  createClient,
  http,
  isRpcError,
  type RpcError,
  type TransportFactory,
} from "../../../client/index.js";
import {
  type Checked,
  type Claim,
  createVerifiedClient,
  memoryStorage,
  ProofError,
  type VerifiedClient,
} from "../../../client/verified/index.js";
import { isLong } from "../../helpers/effort.js";
import { jsonLies } from "../../helpers/peers/json-lies.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";

/** A service with an index, an ordinary client of it, and one that proves what the index answers. */
export type Claims = {
  service: DevnetService;
  plain: Client;
  verified: VerifiedClient;
  openAt(url: string): Promise<VerifiedClient>;
  close(): Promise<void>;
};

export async function openClaims(): Promise<Claims> {
  const service = await sharedService("story");
  const plain = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
  const { init } = await plain.getMasterchainInfo();
  const openAt = async (transport: TransportFactory) =>
    createVerifiedClient({
      transport,
      apiKey: service.key,
      trustedBlock: init,
      storage: memoryStorage(),
      headMs: 6_000_000,
      timeoutMs: 0,
    });
  const verified = await openAt(remembering(http(`${service.url}/jsonRPC`)));
  return {
    service,
    plain,
    verified,
    openAt: (url) => openAt(http(`${url}/jsonRPC`)),
    async close() {
      verified.close();
      plain.close();
      await service.close();
    },
  };
}

/** Asks the same question once: the chain stands still, and thousands of claims are about the same blocks. */
function remembering(transport: TransportFactory): TransportFactory {
  return (context) => {
    const asking = transport(context);
    const answers = new Map<string, Promise<unknown>>();
    return {
      request(call) {
        const key = `${call.method} ${call.params}`;
        const answer = answers.get(key) ?? asking.request(call);
        answers.set(key, answer);
        return answer;
      },
      close: () => asking.close(),
    };
  };
}

/** Changed claims by their end. */
export type Ends = { refused: Set<string>; changes: number };

/**
 * Checks a record with each value changed, and in the long run also left out, added, swapped and of another type. Every change
 * must be refused, or its member be named as unproven. `whole` makes the
 * claim of a changed part.
 */
export async function checkChanges(
  { verified }: Pick<Claims, "verified">,
  name: "transaction" | "message" | "trace",
  record: object,
  whole: (changed: unknown) => unknown = (changed) => changed,
): Promise<Ends> {
  const claimOf = (changed: unknown) => ({ [name]: whole(changed) }) as unknown as Claim;
  await verified.check(claimOf(record));
  const refused = new Set<string>();
  let changes = 0;
  for (const { kind, other = kind, changed, how } of jsonLies(record, name)) {
    if (!isLong && how !== "changed" && how !== "left out") continue;
    changes++;
    const end = await verified.check(claimOf(changed)).catch((error: unknown) => error);
    if (end instanceof ProofError) {
      if (!Array.isArray(end.evidence.bytes)) throw new Error(`${kind}: no evidence`);
      refused.add(kind);
    } else if (isRpcError(end) ? !isUnknown([kind, other], end) : !areNamed([kind, other], end as Checked))
      throw new Error(`${kind} is ${how}, which ends with ${JSON.stringify(end)} ${end}`);
  }
  return { refused, changes };
}

/** Blocks that do not exist yet, and messages without a place, cannot be proven either way. */
function isUnknown(kinds: readonly string[], { code }: RpcError): boolean {
  const isPlace = kinds.some((kind) => /block_ref|seqno|lt$|source|destination|hash/.test(kind));
  return isPlace && /^(liteserver-error|unavailable)$/.test(code);
}

function areNamed(kinds: readonly string[], checked: Checked): boolean {
  return kinds.every((kind) => isNamed(checked, kind));
}

/** Whether a member, or a record that has it, is named as unproven. */
export function isNamed({ unproven }: Checked, kind: string): boolean {
  const general = kind.replace(/(?<=transactions)\.[^.[]+/, "[]").replace(/(\.children\[\])+/, ".children[]");
  return unproven.some((each) =>
    [kind, general].some((own) => own === each || own.startsWith(`${each}.`) || own.startsWith(`${each}[`)),
  );
}
