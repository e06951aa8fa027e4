import { type Part, partsOf } from '../../platform/crypto/der.ts';

const digests: Readonly<Record<string, string>> = {
  '06082a8648ce3d040302': 'sha256',
  '06082a8648ce3d040303': 'sha384',
  '06082a8648ce3d040304': 'sha512',
  '06092a864886f70d01010b': 'sha256',
  '06092a864886f70d01010c': 'sha384',
  '06092a864886f70d01010d': 'sha512',
};

/** A certificate that its issuer has taken back. */
export class TakenBack extends Error {
  constructor() {
    super('a certificate was taken back by its issuer');
    this.name = 'TakenBack';
  }
}

/** The digest of a method of signing, where it is one that is good. */
export function digestOf(method: Part): string | undefined {
  return digests[partsOf(method.content)[0]?.raw.toString('hex') ?? ''];
}

/** The moment that a part names, in UTC. */
export function timeOf({ tag, content }: Part): Date {
  const digits = content.toString('latin1');
  const year = tag === 0x18 ? digits.slice(0, 4) : `${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits.slice(0, 2)}`;
  const [month, day, hour, minute, second] = (tag === 0x18 ? digits.slice(4) : digits.slice(2)).match(/\d\d/g) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}Z`);
}
