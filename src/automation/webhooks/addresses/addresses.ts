import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which addresses webhooks may reach. Asked about each address that a connection would go to, never about names. */
export type AddressPolicy = {
  /** http, and private addresses, as targets: meant for development. */
  readonly allowPrivate: boolean;
  /** May a connection go to this IP address? */
  allows(address: string): boolean;
  /** Is it an address of the public internet? */
  isPublic(address: string): boolean;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

// Ranges that a private network uses for its own hosts. Link-local, multicast and reserved ones stay refused.
const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
// Where clouds serve credentials to their machines from, outside the link-local range.
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The address itself: `::ffff:127.0.0.1` is 127.0.0.1. Zone ids and notations that the system would not connect to are no
 * addresses. A dotted tail is written out first: ipaddr.js takes `::1.2.3.4` for 1.2.3.4, the system for `::102:304`.
 */
function parse(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const plain = text.replace(/:(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) => {
    const group = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16);
    return `:${group(a, b)}:${group(c, d)}`;
  });
  return ipaddr.process(plain);
}

function isGloballyReachable(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // All of IPv6 outside 2000::/3 is unassigned or has a purpose of its own.
  return !(address instanceof ipaddr.IPv6) || address.match(globalUnicast);
}

/**
 * Makes the policy. `allowCidrs` are blocks that may be reached though they are private. Throws one sentence when a
 * block is malformed.
 */
export function createAddressPolicy(options: { allowPrivate: boolean; allowCidrs: readonly string[] }): AddressPolicy {
  const blocks = options.allowCidrs.map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) throw new Error(`WEBHOOKS_ALLOW_CIDRS: ${cidr} is not an address block such as 10.20.0.0/16.`);
    return ipaddr.parseCIDR(cidr);
  });
  const inAllowedBlock = (address: Address) =>
    blocks.some(([block, bits]) => block.kind() === address.kind() && address.match([block, bits] as never));

  return {
    allowPrivate: options.allowPrivate,
    allows(text) {
      const address = parse(text);
      if (!address) return false;
      if (inAllowedBlock(address) || isGloballyReachable(address)) return true;
      return options.allowPrivate && privateRanges.has(address.range()) && !metadata.has(address.toString());
    },
    isPublic(text) {
      const address = parse(text);
      return address !== undefined && isGloballyReachable(address);
    },
  };
}
