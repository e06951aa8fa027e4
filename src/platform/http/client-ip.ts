import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Returns an IP address in one spelling: `::ffff:10.0.0.1` is 10.0.0.1. */
function normalized(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
}

/** Returns an IP address without the port that some proxies add; undefined for an invalid address. */
function readAddress(value: string | undefined): string | undefined {
  const bare = value === undefined ? '' : (/^\[([^\]]+)\](?::\d+)?$/.exec(value)?.[1] ?? value.replace(/^([\d.]+):\d+$/, '$1'));
  return ipaddr.isValid(bare) && (bare.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? normalized(bare.replace(/%.*$/, ''))
    : undefined;
}

/**
 * Returns the IP address of the client: that of the socket, unless a trusted proxy names another. X-Forwarded-For is read from right to left, as long
 * as each address belongs to a trusted proxy. If a trusted proxy wrote an invalid address, its own address is used.
 */
export function clientIp(request: FastifyRequest): string {
  const known = readAddress(request.ip);
  if (known !== undefined) return known;
  // `ips` starts with the socket and ends with the last trusted entry.
  const believed = (request.ips ?? []).map(readAddress).findLast((address) => address !== undefined);
  return believed ?? normalized(request.socket.remoteAddress ?? '127.0.0.1');
}

/** Returns the key of a request for shared limits: the team, or the IP address without a team. */
export const senderOf = (request: FastifyRequest): string => request.principal?.team ?? addressBlock(clientIp(request));

/** Returns the key for limits per IP address: an IPv4 address, or the /64 of an IPv6 client. */
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
