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
  /** The deadline of one exchange, milliseconds. */
  timeoutMs: number;
  connectTimeoutMs?: number;
  /** PEM certificates trusted besides the public ones. */
  ca?: string;
  /** How names are looked up; by default as the system does, apart from its own look-ups where only public addresses are reached. */
  resolve?: Resolve;
};

/**
 * Opens connections to addresses that the policy allows, and to no others, whatever name or redirect led to them. A
 * connection ends when one answer has more than `answerBytes`, whatever they are: interim answers, reason phrases, headers,
 * extensions of chunks and trailers are parsed at the speed of the line, and count as body nowhere.
 */
export function guardedConnector(options: GuardOptions & { answerBytes: number }): buildConnector.connector {
  const { policy, timeoutMs, connectTimeoutMs = Math.min(5_000, timeoutMs) } = options;
  // Where private addresses are open, whoever names them is trusted, and `localhost` is for the system to know.
  const resolve = options.resolve ?? (policy.allowPrivate ? resolveBySystem : createApartResolver());
  // Plain http is for private networks alone.
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
      // Whatever led here: the address at the other end is what counts.
      if (mayReach(protocol, socket.remoteAddress ?? '')) return callback(null, bounded(socket, options.answerBytes));
      socket.destroy();
      callback(new BlockedAddress(), null);
    });
  }

  // Read once: all authorities for each connection would take longer than the rest of a handshake.
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

/** Destroys the socket when more than so many bytes come without a request being written in between. */
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

/** Resolves once and gives on only what may be reached: the socket connects to exactly what was checked. */
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
