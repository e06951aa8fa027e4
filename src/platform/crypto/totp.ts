import { createHmac, randomBytes } from 'node:crypto';
import { equalInConstantTime } from './tokens.ts';

/** Seconds per step, and the accepted clock difference in steps on either side (RFC 6238 §5.2). */
const stepSeconds = 30;
const window = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a new shared secret of 160 bits, the length of the HMAC hash (RFC 4226 §4, R6). */
export function newTotpSecret(): Buffer {
  return randomBytes(20);
}

/** Encodes Base32 without padding (RFC 4648 §6), which authenticator apps expect. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** Returns the URI that an authenticator app scans or imports (Key URI format). `:` separates issuer and account, so it is removed from both. */
export function totpUri(issuer: string, account: string, secret: Buffer): string {
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ''))).join(':');
  const parameters = {
    secret: base32(secret),
    issuer: issuer.replaceAll(':', ''),
    algorithm: 'SHA1',
    digits: '6',
    period: String(stepSeconds),
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${label}?${query.join('&')}`;
}

/** Returns the code of one step: HMAC-SHA-1, dynamic truncation, six digits (RFC 4226 §5.3). */
export function totpAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

export function totpStep(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

/** Returns a code as six ASCII digits without spaces, or undefined for any other text. */
export function readTotpCode(text: string): string | undefined {
  const code = text.replaceAll(' ', '');
  return /^[0-9]{6}$/.test(code) ? code : undefined;
}

/** Returns the newest step within one step of now that matches the code. The caller must accept each step only once. */
export function matchTotp(secret: Buffer, code: string, now: Date): number | undefined {
  const current = totpStep(now);
  let found: number | undefined;
  // Compares all steps, so that the time does not reveal the matching one.
  for (let step = current - window; step <= current + window; step += 1) {
    if (equalInConstantTime(Buffer.from(totpAt(secret, step)), Buffer.from(code))) found = step;
  }
  return found;
}
