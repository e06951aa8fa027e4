import { isIP } from 'node:net';
import type { AddressPolicy } from './addresses.ts';
import { isBadPort } from './blocked-ports.ts';

/**
 * A rule that a URL breaks. `rule` is a stable code. `reason` completes the sentence “the URL …”. The rule `url` means that the text is not a URL.
 */
export type UrlRule = 'url' | 'https' | 'credentials' | 'fragment' | 'public_address' | 'port';
export type CheckedUrl = { ok: true; url: string } | { ok: false; rule: UrlRule; reason: string };

const maxLength = 2_048;
const localName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/;

const refuse = (rule: UrlRule, reason: string): CheckedUrl => ({ ok: false, rule, reason });

/**
 * Checks a webhook URL at registration and normalizes it. Names are resolved and checked at each connection; this check only gives early feedback.
 */
export function checkEndpointUrl(text: string, policy: AddressPolicy): CheckedUrl {
  const trimmed = text.trim();
  if (trimmed.length > maxLength || !URL.canParse(trimmed) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    return refuse('url', 'must be an absolute URL of at most 2048 characters, such as https://example.com/webhooks');
  }
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowPrivate)) return refuse('https', 'must begin with https://');
  if (url.username !== '' || url.password !== '') return refuse('credentials', 'must not contain a user name or password');
  if (url.hash !== '' || trimmed.includes('#')) return refuse('fragment', 'must not have a fragment (#…)');
  if (isBadPort(url.port) && !policy.allowPrivate)
    return refuse('port', 'must not use a port that belongs to another protocol, such as 22 or 25');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !policy.allows(host)) return refuse('public_address', 'must name a host with a public address');
  if (localName.test(host) && !policy.allowPrivate) return refuse('public_address', 'must name a host of the public internet');
  return { ok: true, url: url.href };
}
