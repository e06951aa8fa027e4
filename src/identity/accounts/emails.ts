import { domainToASCII } from 'node:url';

/** An address as it was given and as it is compared. */
export type EmailAddress = { address: string; key: string };

// What a local part may be without quotes (RFC 5322 §3.2.3), ASCII alone.
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// What conversion to IDNA would drop, decode or cut off at, so that another domain came out than was written.
const neverInDomain = /[\p{Cc}\p{Z}\u00ad\u200b\u2060\ufeff%/\\?#:]/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads an address: trimmed, one `@`, ASCII before it (looked at before any normalisation), a domain in IDNA form behind it, at most 254 bytes. The key
 * lowers ASCII letters alone: look-alikes such as the Kelvin sign never become a letter. Nothing when it is no address.
 */
export function parseEmail(given: string): EmailAddress | undefined {
  const address = given.trim();
  const at = address.indexOf('@');
  if (at < 1 || at !== address.lastIndexOf('@')) return undefined;
  if (neverInDomain.test(address.slice(at))) return undefined;
  const local = address.slice(0, at);
  const domain = domainToASCII(address.slice(at + 1).normalize('NFC'));
  if (local.length > 64 || !localPart.test(local) || domain.length > 253) return undefined;
  const labels = domain.split('.');
  if (labels.length < 2 || !labels.every((part) => label.test(part)) || /^\d+$/.test(labels.at(-1) ?? '')) return undefined;
  const whole = `${local}@${domain}`;
  if (whole.length > 254) return undefined;
  return { address: whole, key: whole.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) };
}
