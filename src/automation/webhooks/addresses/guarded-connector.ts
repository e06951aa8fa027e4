import type { LookupAddress } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './addresses.ts';
import { isBadPort } from './blocked-ports.ts';
import { createApartResolver, resolveBySystem, type Resolve } from './resolver.ts';
import { AnswerTooLong, BlockedAddress } from '../sending/send-errors.ts';

export type GuardOptions = {
  policy: AddressPolicy;
  /** The deadline of one exchange, in milliseconds. */
  timeoutMs: number;
  connectTimeoutMs?: number;
  /** PEM certificates trusted besides the public authorities. */
  ca?: string;
  /** Resolves names. By default the system does this. If only public addresses are allowed, the name servers are queried without the system. */
  resolve?: Resolve;
};

/**
 * Opens connections only to addresses that the policy allows, regardless of names and redirects. A connection ends if one response has more than
 * `answerBytes`. That includes interim responses, reason phrases, headers, chunk extensions and trailers, which body limits do not count.
 */
export function guardedConnector(options: GuardOptions & { answerBytes: number }): buildConnector.connector {
  const { policy, timeoutMs, connectTimeoutMs = Math.min(5_000, timeoutMs) } = options;
  // If private addresses are allowed, their users are trusted, and the system resolves `localhost`.
  const resolve = options.resolve ?? (policy.allowPrivate ? resolveBySystem : createApartResolver());
  // Plain http is allowed for private networks only.
  const mayReach = (protocol: string, address: string) => policy.allows(address) && (protocol === 'https:' || !policy.isPublic(address));

  function connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    const { protocol, hostname } = target;
    if ((isBadPort(target.port) && !policy.allowPrivate) || (isIP(hostname) !== 0 && !mayReach(protocol, hostname))) {
      callback(new BlockedAddress(), null);
      return;
    }
    const connector = protocol === 'https:' ? secure : plain;
    connector(target, (error, socket) => {
      if (error) return callback(error, null);
      // Checks the actual remote address, regardless of how it was found.
      if (mayReach(protocol, socket.remoteAddress ?? '')) return callback(null, bounded(socket, options.answerBytes));
      socket.destroy();
      callback(new BlockedAddress(), null);
    });
  }

  // Created once: parsing all authorities for each connection would take longer than the rest of a handshake.
  const trusted = options.ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...rootCertificates, options.ca] }) };
  const connectorFor = (protocol: string) =>
    buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      lookup: guardedLookup(resolve, (address) => mayReach(protocol, address)),
      ...trusted,
    } as buildConnector.BuildOptions);
  const plain = connectorFor('http:');
  const secure = connectorFor('https:');
  return connect;
}

/** Destroys the socket if more than `most` bytes arrive without a request in between. */
function bounded<S extends Socket>(socket: S, most: number): S {
  let written = socket.bytesWritten;
  let [start, read] = [socket.bytesRead, socket.bytesRead];
  return socket.on('readable', () => {
    if (socket.bytesWritten !== written) [written, start] = [socket.bytesWritten, read];
    read = socket.bytesRead;
    if (read - start > most) socket.destroy(new AnswerTooLong());
  });
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves once and returns only allowed addresses, so the socket connects to exactly the checked address. */
function guardedLookup(resolve: Resolve, mayReach: (address: string) => boolean) {
  return (hostname: string, options: { all?: boolean }, callback: LookupCallback): void => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (!first) return callback(new BlockedAddress(), []);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
