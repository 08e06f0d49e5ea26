import { unescape as percentDecode } from "node:querystring";
import type { FoundRoute, Route } from "./routes.js";

/** Parts of paths below one place: by their text, and a parameter of any text. */
type Place = {
  readonly parts: Map<string, Place>;
  parameter?: Place;
  route?: Route;
  /** Names of the parameters on the way to the route. */
  names?: readonly string[];
};

/**
 * Routes by path. Exact paths are in a map, which is asked first. Paths with parameters (`:name`) are looked up part by part;
 * a part that has a route of its own is none of a parameter.
 */
export class RouteTable {
  readonly #exact = new Map<string, FoundRoute>();
  readonly #root: Place = { parts: new Map() };

  constructor(routes: Iterable<readonly [path: string, route: Route]>) {
    for (const [path, route] of routes)
      if (path.includes("/:")) this.#add(path, route);
      else this.#exact.set(path, { route });
  }

  /** The route of a path; one trailing slash is ignored. */
  find(path: string): FoundRoute | undefined {
    const bare = path.endsWith("/") ? path.slice(0, -1) : path;
    return this.#exact.get(path) ?? this.#exact.get(bare) ?? this.#findWithParameters(bare);
  }

  #add(path: string, route: Route): void {
    const names: string[] = [];
    let place = this.#root;
    for (const part of path.split("/")) {
      if (part.startsWith(":")) {
        names.push(part.slice(1));
        place.parameter ??= { parts: new Map() };
        place = place.parameter;
      } else {
        const next = place.parts.get(part) ?? { parts: new Map() };
        place.parts.set(part, next);
        place = next;
      }
    }
    place.route = route;
    place.names = names;
  }

  #findWithParameters(path: string): FoundRoute | undefined {
    const values: string[] = [];
    let place: Place | undefined = this.#root;
    let start = 0;
    while (place && start <= path.length) {
      const end = path.indexOf("/", start);
      const part = path.slice(start, end < 0 ? path.length : end);
      const next: Place | undefined = place.parts.get(part);
      if (!next) values.push(part);
      place = next ?? (part === "" ? undefined : place.parameter);
      start = end < 0 ? path.length + 1 : end + 1;
    }
    if (!place?.route || !place.names) return undefined;
    const { route, names } = place;
    return { route, inPath: names.map((name, index) => [name, percentDecode(values[index]!)] as const) };
  }
}
