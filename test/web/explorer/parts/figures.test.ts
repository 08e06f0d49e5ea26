import { describe, expect, it } from "vitest";
import { barChart } from "../../../../server/web/explorer/charts/bar-chart.js";
import { hourlyCharts, wholeDay } from "../../../../server/web/explorer/charts/hourly-charts.js";
import { percent } from "../../../../server/web/explorer/parts/percent.js";
import { listTable, numbers } from "../../../../server/web/explorer/parts/table.js";
import { durationText } from "../../../../server/web/explorer/parts/time.js";

describe("shares", () => {
  it("are exact for stakes with more digits than a float, and cut", () => {
    expect(percent(1n, 3n)).toBe("33.33 %");
    expect(percent("1152921504606846975", "1152921504606846976", 6)).toBe("99.999999 %");
    expect(percent(5n, 5n)).toBe("100.00 %");
    expect(percent(0n, 5n)).toBe("0.00 %");
    expect(percent(1n, 10n ** 20n)).toBe("< 0.01 %");
    expect(percent(1n, 0n)).toBe("0 %");
  });
});

describe("lengths of time", () => {
  it("have their two largest units", () => {
    expect(durationText(65_536)).toBe("18 h 12 min");
    expect(durationText(90_061)).toBe("1 d 1 h");
    expect(durationText(300)).toBe("5 min");
    expect(durationText(0)).toBe("0 s");
  });
});

describe("bar charts", () => {
  const heights = (markup: string) =>
    [...markup.matchAll(/<rect[^>]* height="([\d.]+)"/g)].map((found) => found[1]);

  it("have bars in proportion to the largest one, and mark losses", () => {
    const { text } = barChart([{ size: 10 }, { size: -5, title: "<lost>" }, { size: 0 }], "Rewards");
    expect(heights(text)).toEqual(["48.00", "24.00", "1.00"]);
    expect(text.match(/class="loss"/g)).toHaveLength(1);
    expect(text).toContain("<title>&lt;lost&gt;</title>");
    expect(text).toContain('aria-label="Rewards"');
  });

  it("have no bar without a value", () => {
    expect(heights(barChart([], "Nothing").text)).toEqual([]);
  });
});

describe("tables", () => {
  it("name their lines and columns, and put numbers at the end", () => {
    const { text } = listTable("Table of <things>", ["Name", numbers("Size"), ""], [["<a>", "1", false]]);
    expect(text).toContain('aria-label="Table of &lt;things&gt;"');
    expect(text).toContain('<th scope="col">Name</th><th scope="col" class="end">Size</th><td></td>');
    expect(text).toContain('<tr><th scope="row">&lt;a&gt;</th><td class="end">1</td><td></td></tr>');
  });
});

describe("charts of a day", () => {
  it("have every hour up to the newest one, also those without a block", () => {
    const at = 1_800_000_000 - (1_800_000_000 % 3600);
    const newest = { utime: at, transactions: 7, fees: "1500000000" };
    const earlier = { utime: at - 5 * 3600, transactions: 3, fees: "1" };
    const day = wholeDay([newest, earlier]);
    expect(day).toHaveLength(24);
    expect(day.at(-1)).toEqual(newest);
    expect(day.at(-6)).toEqual(earlier);
    expect(day[0]).toEqual({ utime: at - 23 * 3600, transactions: 0, fees: "0" });
    const { text } = hourlyCharts([newest, earlier]);
    expect(text.match(/<rect/g)).toHaveLength(48);
    expect(text).toContain("10 in a day");
    expect(text).toContain("1.500000001");
    expect(wholeDay([])).toEqual([]);
    expect(hourlyCharts([]).text).toContain("0 in a day");
  });
});
