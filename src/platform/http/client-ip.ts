import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** An address in one spelling: `::ffff:10.0.0.1` is 10.0.0.1. */
function normalized(ip: string): string {
  return ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
}

/** The client's address: the socket's, unless a trusted proxy names another (Fastify walks X-Forwarded-For from the right). */
export function clientIp(request: FastifyRequest): string {
  return normalized(request.ip);
}

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
