import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { problems } from '../problems.ts';
import { addressBlock, clientIp } from './client-ip.ts';

/** Limits the concurrent connections and requests of one IP address. */
export type AddressLimits = {
  /** Counts a connection until it closes. Above the limit, its first request is rejected, and a connection without a request is soon closed. */
  connected(socket: Socket): void;
  /** Counts a pipelined request until its response ends. Above the limit the connection is closed. */
  followed(request: IncomingMessage, response: ServerResponse): void;
  /** Counts a request that a client sent through a reverse proxy, until its response ends. */
  requested(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
};

const silenceMs = 2_000;

/** Returns a function that checks whether an IP address belongs to a trusted proxy, whose connections come from many clients. */
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

/** Closes a connection without a request after 2 seconds. If a request arrives, closes the connection 2 seconds later, after the response. */
function closeWhenSilent(socket: Socket): void {
  const close = () => socket.destroy();
  // A busy process reads late. Data that has arrived is read in this turn of the event loop and gets a response.
  const look = () => setImmediate(() => (socket.bytesRead === 0 ? close() : setTimeout(close, silenceMs).unref()));
  setTimeout(look, silenceMs).unref();
}

/**
 * Creates limits per IP address: `most` connections, `most` waiting pipelined requests and `most` concurrent requests of one client. 0 disables
 * the limits.
 */
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
        `Your IP address has ${most} connections or requests in progress, which is the maximum. Close some and wait a second.`,
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
      // Only the current request has the socket. One read can contain thousands of pipelined requests.
      if (most === 0 || response.socket !== null || closed.has(socket)) return;
      const address = socket.remoteAddress;
      if (address === undefined || isProxy(address) || enter(waiting, addressBlock(address), response)) return;
      // A response would wait in memory for a client that does not read.
      closed.add(socket);
      socket.destroy();
    },
    requested(request, reply, done) {
      // Requests that arrived before the connection was closed need no response.
      if (closed.has(request.raw.socket)) return;
      if (refused.has(request.raw.socket)) return refuse(done);
      // Without proxies each request is already counted, by its connection or as a pipelined request.
      if (most === 0 || trustedProxies.length === 0 || request.routeOptions.config?.unlimited) return done();
      return enter(requests, addressBlock(clientIp(request)), reply.raw) ? done() : refuse(done);
    },
  };
}
