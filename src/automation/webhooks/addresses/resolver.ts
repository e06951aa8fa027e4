import dns, { lookup, type LookupAddress, Resolver } from 'node:dns';

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string, callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

/** As the system does: its hosts file, search domains and name servers. */
export const resolveBySystem: Resolve = (hostname, callback) => lookup(hostname, { all: true, verbatim: true }, callback);

type Answered = { error: NodeJS.ErrnoException | null; addresses: string[] };

/** Asks the given name servers alone (`address` or `address:port`), for both kinds of address at once. */
export function createResolver(servers: readonly string[]): Resolve {
  const resolver = resolverOf(servers);
  return (hostname, callback) => ask(resolver, hostname, callback);
}

/** So long the name servers of the system are taken for what they are. */
const knownMs = 60_000;
/** Whether the system is being asked about a name that others have chosen. */
let systemIsAsked = false;

/**
 * For names that others choose. The system takes one of a few threads for each until somebody answers or it gives up, and its own database, mail
 * and storage wait for the same ones: so its name servers are asked without them. It is asked itself, which knows a hosts file and search
 * domains, about what those do not know, and about one name at a time.
 */
export function createApartResolver(): Resolve {
  let kept: { resolver: Resolver; until: number } | undefined;
  const current = (): Resolver => {
    if (kept === undefined || kept.until < performance.now())
      kept = { resolver: resolverOf(toldServers()), until: performance.now() + knownMs };
    return kept.resolver;
  };
  return (hostname, callback) =>
    ask(current(), hostname, (error, addresses) => {
      if (!error || isSilence(error) || systemIsAsked) return callback(error, addresses);
      systemIsAsked = true;
      resolveBySystem(hostname, (failure, found) => {
        systemIsAsked = false;
        callback(failure, found);
      });
    });
}

const isSilence = ({ cause }: Error) => cause instanceof Error && 'code' in cause && cause.code === 'ETIMEOUT';

const atStart = dns.getServers().join();
/** The name servers that this process was told of instead of the system’s; none where it was told of none. */
function toldServers(): string[] {
  const told = dns.getServers();
  return told.join() === atStart ? [] : told;
}

function resolverOf(servers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

function ask(resolver: Resolver, hostname: string, callback: Parameters<Resolve>[1]): void {
  const of = (kind: 'resolve4' | 'resolve6') =>
    new Promise<Answered>((resolve) => {
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
 * Looks up TXT records by the given name servers or those of the system. Returns no text where the DNS has none, and `undefined` where no
 * name server has answered.
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

/** Whatever kept the name from being found is an error of the look-up: never taken for one of the target's. */
function lookupError(cause: NodeJS.ErrnoException | null): NodeJS.ErrnoException {
  const missing = cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA' || cause === null;
  return Object.assign(new Error('the name was not found', { cause }), { code: missing ? 'ENOTFOUND' : 'EAI_AGAIN' });
}
