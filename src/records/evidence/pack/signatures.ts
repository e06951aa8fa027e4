import type { KeyRing } from '#keys';
import { proofsOfRequest } from '#signatures';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { bytesOf, type PackPart } from './part.ts';

type Payload = Record<string, unknown> & { ip?: string; userAgent?: string };

const decoded = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8')) as Payload;

/**
 * Returns the signed statements of signature requests, one file for each action, with the published keys. A statement contains the signer’s address.
 * With `network` it is included as signed. Otherwise the pack has its content without address and user agent, and the hash that is also in the
 * journal.
 */
export async function signatureParts(
  scope: Pick<ReadScope | Scope, 'db' | 'team'>,
  requests: readonly string[],
  { network, keys }: { network: boolean; keys: KeyRing },
): Promise<PackPart[]> {
  const parts: PackPart[] = [];
  const used = new Set<unknown>();
  for (const request of requests.toSorted()) {
    for (const { number, jws, sha256 } of await proofsOfRequest(scope, request)) {
      const path = `signatures/${request}/${String(number).padStart(4, '0')}`;
      const [header, payload] = jws.split('.');
      const { ip, userAgent, ...content } = decoded(payload);
      used.add(decoded(header).kid);
      if (network || (ip === undefined && userAgent === undefined)) parts.push(bytesOf(`${path}.jws`, jws));
      else parts.push(bytesOf(`${path}.json`, `${JSON.stringify({ sha256, content }, undefined, 1)}\n`));
    }
  }
  const published = keys.publicKeys('evidence').filter(({ kid }) => used.has(kid));
  return used.size === 0 ? parts : [...parts, bytesOf('signatures/keys.json', `${JSON.stringify({ keys: published }, undefined, 1)}\n`)];
}
