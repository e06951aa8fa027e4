import { lookup, type LookupAddress, Resolver } from 'node:dns';

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string, callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

/** As the system does: its hosts file, search domains and name servers. */
export const resolveBySystem: Resolve = (hostname, callback) => lookup(hostname, { all: true, verbatim: true }, callback);

type Answered = { error: NodeJS.ErrnoException | null; addresses: string[] };

/** Asks the given name servers alone (`address` or `address:port`), for both kinds of address at once. */
export function createResolver(servers: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers(servers);
  const ask = (kind: 'resolve4' | 'resolve6', hostname: string) =>
    new Promise<Answered>((resolve) => {
      resolver[kind](hostname, (error, addresses) => resolve({ error, addresses: error ? [] : addresses }));
    });
  return (hostname, callback) => {
    const work = async (): Promise<void> => {
      const [four, six] = await Promise.all([ask('resolve4', hostname), ask('resolve6', hostname)]);
      const found = [
        ...four.addresses.map((address) => ({ address, family: 4 })),
        ...six.addresses.map((address) => ({ address, family: 6 })),
      ];
      callback(found.length > 0 ? null : lookupError(four.error ?? six.error), found);
    };
    void work();
  };
}

/** Looks texts of the DNS up (TXT), by the given name servers or the system's; none when there are none or nobody answers. */
export function createTextLookup(servers: readonly string[]): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return (name) =>
    new Promise((resolve) => {
      resolver.resolveTxt(name, (error, records) => resolve(error ? [] : records.map((parts) => parts.join(''))));
    });
}

/** Whatever kept the name from being found is an error of the look-up: never taken for one of the target's. */
function lookupError(cause: NodeJS.ErrnoException | null): NodeJS.ErrnoException {
  const missing = cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA' || cause === null;
  return Object.assign(new Error('the name was not found', { cause }), { code: missing ? 'ENOTFOUND' : 'EAI_AGAIN' });
}
