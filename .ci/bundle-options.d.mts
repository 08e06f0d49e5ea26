import type { BuildOptions } from "esbuild";

export function bundleOptions(urlOf: (path: string) => string): BuildOptions;
