import { domainToASCII } from 'node:url';

/** An address as entered, and its normalized form for comparison. */
export type EmailAddress = { address: string; key: string };

// Unquoted local parts (RFC 5322 §3.2.3), ASCII only.
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// Characters that the conversion to IDNA drops, decodes or cuts at, which would change the domain.
const neverInDomain = /[\p{Cc}\p{Z}\u00ad\u200b\u2060\ufeff%/\\?#:]/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Parses an address: trimmed, with one `@`, an ASCII local part (checked before any normalization),
 * a domain in IDNA form, at most 254 bytes. The key lowers only ASCII letters, so that look-alikes
 * such as the Kelvin sign never become a letter. Returns undefined for an invalid address.
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
