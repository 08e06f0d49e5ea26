import type { V3HourlyTotalsResult } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { amountText, coin, count, ton } from "../parts/amount.js";
import { listTable, numbers } from "../parts/table.js";
import { timeAt } from "../parts/time.js";
import { barChart } from "./bar-chart.js";

type Hour = V3HourlyTotalsResult["hours"][number];

const hourSec = 3600;
/** Hours of the charts: a day. */
export const chartHours = 24;

/** The hours up to the newest one, oldest first; those without a block have nothing. */
export function wholeDay(hours: readonly Hour[]): Hour[] {
  if (hours.length === 0) return [];
  const newest = Math.max(...hours.map(({ utime }) => utime));
  const byTime = new Map(hours.map((hour) => [hour.utime, hour]));
  return Array.from({ length: chartHours }, (_, index) => {
    const utime = newest - (chartHours - 1 - index) * hourSec;
    return byTime.get(utime) ?? { utime, transactions: 0, fees: "0" };
  });
}

/** Charts of transactions and fees by the hour, and the same as a table. */
export function hourlyCharts(hours: readonly Hour[]): Markup {
  const day = wholeDay(hours);
  const total = day.reduce((sum, { transactions }) => sum + transactions, 0);
  const fees = day.reduce((sum, hour) => sum + BigInt(hour.fees), 0n);
  return html`<div class="hourly-charts">
      ${figure(
        "Transactions per hour",
        html`${count(total)} in a day`,
        day.map(({ utime, transactions }) => bar(utime, transactions, count(transactions))),
      )}
      ${figure(
        "Fees per hour",
        html`${ton(fees)} in a day`,
        day.map((hour) => bar(hour.utime, Number(hour.fees), `${amountText(hour.fees, 9)} ${coin()}`)),
      )}
    </div>
    <details class="fold"><summary>Hours as a table</summary>${listTable(
      "Transactions and fees by the hour",
      ["From", numbers("Transactions"), numbers(`Fees, ${coin()}`)],
      day
        .toReversed()
        .map(({ utime, transactions, fees: paid }) => [
          timeAt(utime),
          count(transactions),
          amountText(paid, 9),
        ]),
    )}</details>`;
}

const bar = (utime: number, size: number, text: string) => ({
  size,
  title: `${new Date(utime * 1000).toISOString().slice(0, 16).replace("T", " ")}: ${text}`,
});

function figure(title: string, sum: Markup, bars: ReturnType<typeof bar>[]): Markup {
  return html`<figure><figcaption>${title} <span class="aside">${sum}</span></figcaption>${barChart(bars, `${title} in the last day`)}</figure>`;
}
