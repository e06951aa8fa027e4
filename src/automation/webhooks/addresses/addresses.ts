import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IP addresses that webhooks may reach. The policy checks each address of a connection, and no names. */
export type AddressPolicy = {
  /** Whether to allow http and private addresses as targets, for development. */
  readonly allowPrivate: boolean;
  /** Whether a connection may go to this IP address. */
  allows(address: string): boolean;
  /** Whether the address is of the public internet. */
  isPublic(address: string): boolean;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

// Ranges that private networks use for their hosts. Link-local, multicast and reserved ranges stay blocked.
const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
// Addresses of cloud metadata services outside the link-local range. They return credentials of machines.
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Parses an address; `::ffff:127.0.0.1` becomes 127.0.0.1. Rejects zone ids, and notations with which the system does not connect. An IPv4 address at
 * the end of an IPv6 address is expanded first: ipaddr.js reads `::1.2.3.4` as 1.2.3.4, but the system connects to `::102:304`.
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
  // IPv6 outside 2000::/3 is unassigned or has a special purpose.
  return !(address instanceof ipaddr.IPv6) || address.match(globalUnicast);
}

/** Creates the policy. `allowCidrs` are private blocks that may be reached. Throws an error if a block is malformed. */
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
