export const packages: Readonly<
  Record<
    "tonwire" | "tonwire-server",
    { readonly manifest: { readonly dependencies: Record<string, string> } }
  >
>;
export function stage(name: keyof typeof packages, folder: string): void;
export function pack(
  folder: string,
  destination: string,
): { readonly tarball: string; readonly paths: string[] };
