// The package has no types; these are the ones the bench uses.
declare module "autocannon" {
  export type Options = {
    url: string;
    connections: number;
    amount?: number;
    /** Seconds. */
    duration?: number;
    method?: "GET" | "POST";
    headers?: Record<string, string>;
    body?: string;
  };
  export default function autocannon(options: Options): Promise<{ "2xx": number }>;
}
