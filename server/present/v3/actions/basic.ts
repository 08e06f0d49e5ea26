import { known, nullable, opcodeText, type Presenters, type StoredAction } from "./stored-action.js";

/** TON Center's answer for this type. */
const noDetails = { error: "unsupported action type: 'unknown'" };

export const basicPresenters: Presenters<
  "call_contract" | "contract_deploy" | "ton_transfer" | "tick_tock" | "unknown"
> = {
  call_contract: (row) => ({
    ...message(row),
    extra_currencies: row.value_extra_currencies ?? {},
  }),
  contract_deploy: message,
  ton_transfer: ({ source, destination, value, value_extra_currencies, ton_transfer_data }) =>
    nullable({
      source,
      destination,
      value,
      value_extra_currencies: value_extra_currencies ?? {},
      comment: ton_transfer_data.content,
      encrypted: ton_transfer_data.encrypted,
    }),
  tick_tock: ({ source }) => known({ account: source }),
  unknown: () => noDetails,
};

function message({ opcode, source, destination, value }: StoredAction<"call_contract">) {
  return known({ opcode: opcodeText(opcode), source, destination, value });
}
