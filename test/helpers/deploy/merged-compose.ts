import type { Compose } from "./deployed-files.js";

type Service = Record<string, unknown> & { extends?: { file: string; service: string } };
type Read = (name: string) => { services: Record<string, Service>; volumes: Record<string, null> };

/** Two compose files as one, by the rules of the Compose specification for the members that these files have. */
export function mergedCompose(read: Read, first: string, second: string): Compose {
  const [one, two] = [read(first), read(second)];
  const services = { ...one.services };
  for (const [name, service] of Object.entries(two.services)) {
    const { extends: extended, ...own } = service;
    const inherited = extended ? read(extended.file).services[extended.service] : undefined;
    services[name] = [inherited, services[name], own].reduce<Service>(
      (base, over) => (over ? mergeService(base, over) : base),
      {},
    );
  }
  return { services, volumes: { ...one.volumes, ...two.volumes } } as Compose;
}

function mergeService(base: Service, over: Service): Service {
  const merged: Service = { ...base };
  for (const [name, value] of Object.entries(over)) merged[name] = mergeMember(name, base[name], value);
  return merged;
}

function mergeMember(name: string, base: unknown, over: unknown): unknown {
  if (base === undefined || name === "command" || name === "entrypoint") return over;
  if (name === "volumes") return mergeVolumes(base as string[], over as string[]);
  if (Array.isArray(base) && Array.isArray(over)) return name === "test" ? over : [...base, ...over];
  if (isMap(base) && isMap(over)) {
    const names = [...new Set([...Object.keys(base), ...Object.keys(over)])];
    return Object.fromEntries(
      names.map((each) => [each, each in over ? mergeMember(each, base[each], over[each]) : base[each]]),
    );
  }
  return over;
}

/** A volume replaces the one at the same place in the container. */
function mergeVolumes(base: readonly string[], over: readonly string[]): string[] {
  const placeOf = (volume: string) => volume.split(":")[1];
  const places = over.map(placeOf);
  return [...base.filter((volume) => !places.includes(placeOf(volume))), ...over];
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
