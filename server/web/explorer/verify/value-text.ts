import { type Content, html } from "../../pages/markup.js";
import { ton } from "../parts/amount.js";
import { hashText } from "../parts/hash.js";
import { timeOf } from "../parts/time.js";

const amounts = /^(balance|total_fees|fee|storage_fee|.*_value|.*_fwd_fee|.*_import_fee)$/;
const times = /^(now|gen_utime)$/;
const hash = /^([\da-f]{64}|[\w+/-]{43}=)$/i;

/** A claimed or proven value, as the pages show such values. Claims are texts of the service. */
export function valueText(name: string, value: string): Content {
  if (amounts.test(name) && /^\d{1,40}$/.test(value)) return ton(value);
  if (times.test(name) && /^\d{1,10}$/.test(value)) return timeOf(Number(value));
  if (hash.test(value)) return hashText(value);
  if (value === "") return "nothing";
  return html`<span class="whole">${value.slice(0, 300)}</span>`;
}
