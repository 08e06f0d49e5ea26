import { decoded } from "../../pages/explorer-paths.js";

/** Parts of the page below the code, in the order of their keys. */
export const tabs = ["stack", "locals", "storage", "actions", "message"] as const;
/** Areas of the page, of which narrow screens show one at a time. */
export const areas = ["steps", "code", ...tabs] as const;
export type Tab = (typeof tabs)[number];
export type Area = (typeof areas)[number];

/** A line of a source file. */
export type Line = { readonly file: string; readonly line: number };

/** What the address says of the page after `#`. */
type Place = {
  readonly step?: number | undefined;
  readonly area?: Area | undefined;
  readonly file?: Line | undefined;
};

/** A line, or an instruction as `<hash of the cell>:<offset>`. */
export type Breakpoint = string;

const most = { breakpoints: 100, text: 300 } as const;

export function readPlace(hash: string): Place {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const [step, tab, file] = ["step", "tab", "file"].map((name) => values.get(name) ?? "");
  return {
    step: /^\d{1,9}$/.test(step!) ? Number(step) : undefined,
    area: areas.find((area) => area === tab),
    file: readLine(file!),
  };
}

/** `#step=412&tab=stack&file=a.tolk:31` */
export function writePlace({ step, area, file }: Place): string {
  const values = [
    step !== undefined && `step=${step}`,
    area && `tab=${area}`,
    file && `file=${readable(lineText(file))}`,
  ];
  return `#${values.filter(Boolean).join("&")}`;
}

/** Breakpoints of an address: `31,b.tolk:40`. Lines without a file are those of the main one. */
export function readBreakpoints(text: string, main: string): Breakpoint[] {
  const parts = text.slice(0, most.breakpoints * most.text).split(",");
  const found = parts.map((part) => {
    const place = decoded(part);
    return /^\d{1,7}$/.test(place) ? lineText({ file: main, line: Number(place) }) : place;
  });
  return [...new Set(found)].filter(isBreakpoint).slice(0, most.breakpoints);
}

export function writeBreakpoints(breakpoints: Iterable<Breakpoint>, main: string): string {
  const texts = [...breakpoints].map((breakpoint) => {
    const line = readLine(breakpoint);
    return line?.file === main ? String(line.line) : readable(breakpoint);
  });
  return texts.join(",");
}

export function lineText({ file, line }: Line): string {
  return `${file}:${line}`;
}

export function readLine(text: string): Line | undefined {
  const [, file, line] = /^(.{1,280}):(\d{1,7})$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}

function isBreakpoint(text: string): boolean {
  return text.length <= most.text && readLine(text) !== undefined;
}

/** Encoded, but for the characters that addresses may have. */
function readable(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%40", "@");
}
