import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { problems } from '../problems.ts';
import { addressBlock, clientIp } from './client-ip.ts';

/** Counts what one address has open at once. */
export type AddressLimits = {
  /** Counts a connection until it closes. One too many is answered at its first request, and closed if none comes soon. */
  connected(socket: Socket): void;
  /** Counts a request that came before those ahead of it on its connection were answered, until it is over. One too many closes the connection. */
  followed(request: IncomingMessage, response: ServerResponse): void;
  /** Counts a request of the client that a proxy stands for, until its answer has ended. */
  requested(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
};

const silenceMs = 2_000;

/** Whether an address is one of the proxies that are trusted: connections of all clients come from there. */
function matcher(proxies: readonly string[]): (address: string) => boolean {
  const blocks = proxies.map((proxy): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (proxy.includes('/')) return ipaddr.parseCIDR(proxy);
    const address = ipaddr.process(proxy);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
  return (text) => {
    if (blocks.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return blocks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
}

/** Closes a connection on which nothing has come, and one on which something did a moment later, when that is answered. */
function closeWhenSilent(socket: Socket): void {
  const close = () => socket.destroy();
  // A busy process reads late: what has come by now is read in this very turn, and is answered, not cut off.
  const look = () => setImmediate(() => (socket.bytesRead === 0 ? close() : setTimeout(close, silenceMs).unref()));
  setTimeout(look, silenceMs).unref();
}

/** `most` connections of one address, as many requests that wait behind others of these, and as many at once of one client; 0 is no limit. */
export function limitAddresses(most: number, trustedProxies: readonly string[]): AddressLimits {
  const isProxy = matcher(trustedProxies);
  const connections = new Map<string, number>();
  const requests = new Map<string, number>();
  const waiting = new Map<string, number>();

  function enter(counts: Map<string, number>, key: string, ends: { once(event: 'close', left: () => void): unknown }): boolean {
    const count = counts.get(key) ?? 0;
    if (count >= most) return false;
    counts.set(key, count + 1);
    ends.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    });
    return true;
  }

  const refused = new WeakSet<Socket>();
  const closed = new WeakSet<Socket>();
  const refuse = (done: (error: Error) => void): void =>
    done(
      problems.rate_limited(
        `Your address has ${most} connections or requests in progress, which is the maximum. Close some, and wait a second.`,
        {
          headers: { 'retry-after': '1', connection: 'close' },
        },
      ),
    );

  return {
    connected(socket) {
      const address = socket.remoteAddress;
      if (most === 0 || address === undefined || isProxy(address) || enter(connections, addressBlock(address), socket)) return;
      refused.add(socket);
      closeWhenSilent(socket);
    },
    followed({ socket }, response) {
      // Only the one whose turn it is has the connection; of others thousands fit into what is read at once.
      if (most === 0 || response.socket !== null || closed.has(socket)) return;
      const address = socket.remoteAddress;
      if (address === undefined || isProxy(address) || enter(waiting, addressBlock(address), response)) return;
      // An answer would wait in memory behind all the others, for somebody who reads none.
      closed.add(socket);
      socket.destroy();
    },
    requested(request, reply, done) {
      // Those behind it had come already. Nobody is there to be answered.
      if (closed.has(request.raw.socket)) return;
      if (refused.has(request.raw.socket)) return refuse(done);
      // Without proxies each request is counted already, by its connection or as one that waits behind others there.
      if (most === 0 || trustedProxies.length === 0 || request.routeOptions.config?.unlimited) return done();
      return enter(requests, addressBlock(clientIp(request)), reply.raw) ? done() : refuse(done);
    },
  };
}
