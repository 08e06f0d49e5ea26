import { type Sentences, say, ton, when, who } from "../phrase.js";

const client = (address: string | null) => who(address, "a client");
const root = (address: string | null) => who(address, "the root contract");

export const cocoonSentences = {
  cocoon_worker_payout: ({ destination, amount, payout_type }) =>
    say`${who(destination, "The owner of a worker")} was paid ${ton(amount)} for work on Cocoon${payout_type === "last" && ", for the last time"}`,
  cocoon_proxy_payout: ({ source, destination }) =>
    say`${who(source, "A proxy")} of Cocoon paid its earnings to ${who(destination, "its owner")}`,
  cocoon_proxy_charge: ({ source, destination }) =>
    say`${who(destination, "A proxy")} charged ${client(source)} on Cocoon`,
  cocoon_client_top_up: ({ source, destination, amount }) =>
    say`${who(source)} topped up ${client(destination)} on Cocoon with ${ton(amount)}`,
  cocoon_register_proxy: ({ destination }) => say`A proxy was registered at ${root(destination)} of Cocoon`,
  cocoon_unregister_proxy: ({ destination, seqno }) =>
    say`A proxy was removed from ${root(destination)} of Cocoon${when(seqno, (number) => say`: number ${number}`)}`,
  cocoon_client_register: ({ source, destination }) =>
    say`${who(source)} registered ${client(destination)} on Cocoon`,
  cocoon_client_change_secret_hash: ({ source, destination }) =>
    say`${who(source)} changed the secret of ${client(destination)} on Cocoon`,
  cocoon_client_request_refund: ({ source, destination }) =>
    say`${who(source)} asked for a refund of ${client(destination)} on Cocoon`,
  cocoon_grant_refund: ({ source, destination, amount }) =>
    say`${who(source, "A client")} of Cocoon refunded ${ton(amount)} to ${who(destination, "its owner")}`,
  cocoon_client_increase_stake: ({ source, destination, new_stake }) =>
    say`${who(source)} raised the stake of ${client(destination)} on Cocoon to ${ton(new_stake)}`,
  cocoon_client_withdraw: ({ source, destination, withdraw_amount }) =>
    say`${who(source)} withdrew ${ton(withdraw_amount)} from ${client(destination)} on Cocoon`,
} satisfies Partial<Sentences>;
