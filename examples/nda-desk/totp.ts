/** Computes codes of an authenticator app from its otpauth:// address (RFC 6238). `node totp.ts <address>` prints the current code, and with `next` the following one. */
import { createHmac } from 'node:crypto';
import process from 'node:process';

export function totp(uri: string, now = Date.now()): string {
  const letters = new URL(uri).searchParams.get('secret') ?? '';
  const bits = Array.from(letters, (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac('sha1', key).update(step).digest();
  const code = (mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000;
  return String(code).padStart(6, '0');
}

if (import.meta.main) {
  const [address = '', which] = process.argv.slice(2);
  process.stdout.write(`${totp(address, Date.now() + (which === 'next' ? 30_000 : 0))}\n`);
}
