import { createHmac } from 'node:crypto';
import type { MasterKey } from '../crypto/master-key.ts';
import { equalInConstantTime } from '../crypto/tokens.ts';

/**
 * Envelope senders, one for each mail (VERP): `bounces+<token>@example.org`. The token has the identifier of the mail and a message authentication
 * code, in base32, because mail servers may change the case of an address.
 */
export type BounceAddresses = {
  /** The envelope sender of a mail. */
  of(mail: string): string;
  /** The mail of an envelope sender; undefined if Chancery did not create the address. */
  mailOf(address: string): string | undefined;
};

const idBytes = 16;
/** 96 bits. A local part has at most 64 characters (RFC 5321 §4.5.3.1.1), of which the token takes 45. */
const macBytes = 12;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const tokenLength = Math.ceil(((idBytes + macBytes) * 8) / 5);

/** Returns the envelope senders of the settings; undefined without `BOUNCE_ADDRESS`. */
export function bouncesOf(platform: {
  config: { BOUNCE_ADDRESS: string | undefined };
  masterKey: Pick<MasterKey, 'accepted'>;
}): BounceAddresses | undefined {
  const { config, masterKey } = platform;
  return config.BOUNCE_ADDRESS === undefined ? undefined : bounceAddresses(config.BOUNCE_ADDRESS, masterKey.accepted('bounce-addresses'));
}

/** @param keys the keys of all accepted master keys, the one in use first */
export function bounceAddresses(address: string, keys: readonly [Buffer, ...Buffer[]]): BounceAddresses {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const mac = (key: Buffer, id: Buffer) => createHmac('sha256', key).update(id).digest().subarray(0, macBytes);
  return {
    of(mail) {
      const id = Buffer.from(mail.replaceAll('-', ''), 'hex');
      return `${local}+${base32(Buffer.concat([id, mac(keys[0], id)]))}@${domain}`;
    },
    mailOf(recipient) {
      const [, token = ''] = /\+([a-z2-7]+)@[^@]*$/.exec(recipient.toLowerCase()) ?? [];
      const bytes = token.length === tokenLength ? fromBase32(token) : Buffer.alloc(0);
      const [id, given] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)];
      if (!keys.some((key) => equalInConstantTime(given, mac(key, id)))) return undefined;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}

/** Base32 of RFC 4648 §6, in lower case and without padding. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
