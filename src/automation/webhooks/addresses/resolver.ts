import dns, { lookup, type LookupAddress, Resolver } from 'node:dns';

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string, callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

/** Resolves like the system, with its hosts file, search domains and name servers. */
export const resolveBySystem: Resolve = (hostname, callback) => lookup(hostname, { all: true, verbatim: true }, callback);

type LookupResponse = { error: NodeJS.ErrnoException | null; addresses: string[] };

/** Queries only the given name servers (`address` or `address:port`), for IPv4 and IPv6 addresses at once. */
export function createResolver(servers: readonly string[]): Resolve {
  const resolver = resolverOf(servers);
  return (hostname, callback) => ask(resolver, hostname, callback);
}

/** How long the list of the system’s name servers is cached, in milliseconds. */
const knownMs = 60_000;
/** Whether a system look-up of an external name is in progress. */
let isSystemLookupRunning = false;

/**
 * Resolves names that users choose. A system look-up blocks one of a few threads, which database, mail and storage also need. So the system’s name
 * servers are queried directly. The system resolves only names that they do not know, one at a time, because it also has a hosts file and search
 * domains.
 */
export function createApartResolver(): Resolve {
  let kept: { resolver: Resolver; until: number } | undefined;
  const current = (): Resolver => {
    if (kept === undefined || kept.until < performance.now())
      kept = { resolver: resolverOf(configuredServers()), until: performance.now() + knownMs };
    return kept.resolver;
  };
  return (hostname, callback) =>
    ask(current(), hostname, (error, addresses) => {
      if (!error || isSilence(error) || isSystemLookupRunning) return callback(error, addresses);
      isSystemLookupRunning = true;
      resolveBySystem(hostname, (failure, found) => {
        isSystemLookupRunning = false;
        callback(failure, found);
      });
    });
}

const isSilence = ({ cause }: Error) => cause instanceof Error && 'code' in cause && cause.code === 'ETIMEOUT';

const atStart = dns.getServers().join();
/** The name servers that were set for this process instead of the system’s; empty if there are none. */
function configuredServers(): string[] {
  const servers = dns.getServers();
  return servers.join() === atStart ? [] : servers;
}

function resolverOf(servers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

function ask(resolver: Resolver, hostname: string, callback: Parameters<Resolve>[1]): void {
  const of = (kind: 'resolve4' | 'resolve6') =>
    new Promise<LookupResponse>((resolve) => {
      resolver[kind](hostname, (error, addresses) => resolve({ error, addresses: error ? [] : addresses }));
    });
  const work = async (): Promise<void> => {
    const [four, six] = await Promise.all([of('resolve4'), of('resolve6')]);
    const found = [
      ...four.addresses.map((address) => ({ address, family: 4 })),
      ...six.addresses.map((address) => ({ address, family: 6 })),
    ];
    callback(found.length > 0 ? null : lookupError(four.error ?? six.error), found);
  };
  void work();
}

/**
 * Looks up TXT records with the given name servers or those of the system. Returns an empty list if the DNS has none, and `undefined` if no name
 * server responded.
 */
export function createTextLookup(servers: readonly string[]): (name: string) => Promise<string[] | undefined> {
  const resolver = resolverOf(servers);
  return (name) =>
    new Promise((resolve) => {
      resolver.resolveTxt(name, (error, records) => {
        if (!error) resolve(records.map((parts) => parts.join('')));
        else resolve(error.code === 'ENOTFOUND' || error.code === 'ENODATA' ? [] : undefined);
      });
    });
}

/** Marks the error as a look-up error, so that it is not mistaken for an error of the target. */
function lookupError(cause: NodeJS.ErrnoException | null): NodeJS.ErrnoException {
  const missing = cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA' || cause === null;
  return Object.assign(new Error('the name was not found', { cause }), { code: missing ? 'ENOTFOUND' : 'EAI_AGAIN' });
}
