// The package has no types of its own; this is the part that is used.
declare module "autocannon" {
  type Options = {
    url: string;
    connections: number;
    amount: number;
    method?: "POST";
    headers?: Readonly<Record<string, string>>;
    body?: string;
  };
  export default function autocannon(options: Options): Promise<{ "2xx": number }>;
}
