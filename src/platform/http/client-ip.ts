import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** An address in one spelling: `::ffff:10.0.0.1` is 10.0.0.1. */
function normalized(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
}

/** An address that may carry a port, as some proxies write it; nothing when it is none. */
function readAddress(value: string | undefined): string | undefined {
  const bare = value === undefined ? '' : (/^\[([^\]]+)\](?::\d+)?$/.exec(value)?.[1] ?? value.replace(/^([\d.]+):\d+$/, '$1'));
  return ipaddr.isValid(bare) && (bare.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? normalized(bare.replace(/%.*$/, ''))
    : undefined;
}

/**
 * The client's address: the socket's, unless a trusted proxy names another. X-Forwarded-For is walked from the right as
 * far as the proxies are trusted; where a trusted one wrote what is no address, the one it came through stands for it.
 */
export function clientIp(request: FastifyRequest): string {
  const known = readAddress(request.ip);
  if (known !== undefined) return known;
  // `ips` begins with the socket and ends with the farthest one that was believed.
  const believed = (request.ips ?? []).map(readAddress).findLast((address) => address !== undefined);
  return believed ?? normalized(request.socket.remoteAddress ?? '127.0.0.1');
}

/** Whose share of a limit a request uses: that of the team, or of the address where there is none. */
export const senderOf = (request: FastifyRequest): string => request.principal?.team ?? addressBlock(clientIp(request));

/** What limits count by: one IPv4 address, or the /64 that one IPv6 client has to itself. */
export function addressBlock(ip: string): string {
  const plain = normalized(ip);
  if (!plain.includes(':') || !ipaddr.isValid(plain)) return plain;
  const parsed = ipaddr.parse(plain);
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}
