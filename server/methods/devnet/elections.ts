import type { Handlers } from "../../../shared/methods/define.js";
import { electionMethods } from "../../../shared/methods/devnet-elections.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import type {
  ElectionControls,
  ElectionsInfo,
  OwnValidator,
} from "../../devnet/control/election-controls.js";
import { addressText } from "./receipt.js";
import type { Begin } from "./settlement.js";

export type ElectionDeps = { elections: ElectionControls; begin: Begin };

export const electionHandlers: Handlers<typeof electionMethods, ElectionDeps> = {
  elections: async (_, { elections }) => presentElections(await elections.info()),

  setElections: async ({ on, participants, stake }, { elections }) =>
    presentElections(
      await elections.change({
        ...(on !== undefined && { on }),
        ...(participants !== undefined && { participants }),
        ...(stake !== undefined && { stake }),
      }),
    ),

  addValidatorKey: async ({ seed }, { elections }) => ({
    public_key: keyText(await elections.addKey(seed)),
  }),

  async skipPhase(_, { elections, begin }) {
    const settling = begin(electionMethods.skipPhase);
    const { block, phase } = await elections.skipPhase();
    return { block: presentBlockId(block), phase, settled: await settling.at(block) };
  },

  async complain({ validator, fine, votes }, { elections, begin }) {
    const settling = begin(electionMethods.complain);
    const { complaintHash, electionId, block } = await elections.complain({ validator, fine, votes });
    return {
      complaint_hash: bytesToBase64(complaintHash),
      election_id: electionId,
      block: presentBlockId(block),
      settled: await settling.at(block),
    };
  },
};

/** Keys of validators, in the form of v3. */
const keyText = (key: Uint8Array): string => bytesToHex(key).toUpperCase();

function presentElections(info: ElectionsInfo) {
  const { since, until, electionId, totalWeight, validators } = info.set;
  return {
    preset: info.preset ?? ("off" as const),
    on: info.on,
    participants: info.participants,
    stake: info.stake?.toString() ?? null,
    phase: info.phase,
    elect_at: info.electAt ?? null,
    elect_close: info.electClose ?? null,
    next_due: info.phaseEnd ?? null,
    set: {
      since,
      until,
      election_id: electionId ?? null,
      total_weight: totalWeight.toString(),
      validators: validators.map(({ publicKey, weight, hasKey }) => ({
        public_key: keyText(publicKey),
        weight: weight.toString(),
        has_key: hasKey,
      })),
    },
    validators: info.validators.map(presentValidator),
    verifiable: info.verifiable,
  };
}

function presentValidator({ account, publicKey, balance, staked, frozen, credit }: OwnValidator) {
  return {
    address: addressText(account),
    public_key: keyText(publicKey),
    balance: balance.toString(),
    stake: staked.toString(),
    frozen: frozen.toString(),
    credit: credit.toString(),
  };
}
