import { problems } from '../../../platform/problems.ts';
import type { CustomHeaders } from './secrets.ts';

const most = 20;
const maxBytes = 4_096;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
// RFC 9110 §5.5 without obs-text: printable ASCII, no space at either end.
const fieldValue = /^[!-~](?:[\t -~]*[!-~])?$/;

/**
 * Headers that owners may not set:
 * - framing and connection headers (RFC 9110 §7.6.1)
 * - headers of the service
 * - headers about the origin of a request, for proxies
 * - headers that cloud metadata services require before they return credentials
 */
const forbidden = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'metadata',
  'metadata-flavor',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
]);
const forbiddenFamilies = ['proxy-', 'sec-', 'webhook-', 'x-service-', 'x-forwarded-', 'x-aws-ec2-', 'x-google-metadata-', 'x-http-method'];

/** Validates custom headers. Errors: 400 with the name of the header, never its value. */
export function checkHeaders(headers: Record<string, string>): CustomHeaders {
  const names = Object.keys(headers);
  const seen = new Set<string>();
  for (const name of names) {
    const error = headerError(name, headers[name] ?? '', seen);
    if (error) throw refused(name, ...error);
    seen.add(name.toLowerCase());
  }
  const size = names.reduce((sum, name) => sum + name.length + (headers[name]?.length ?? 0), 0);
  if (names.length > most || size > maxBytes) throw refused('', 'size', `must be at most ${most}, with ${maxBytes} bytes in total`);
  return headers;
}

function headerError(name: string, value: string, seen: ReadonlySet<string>): [rule: string, reason: string] | undefined {
  const lower = name.toLowerCase();
  if (!token.test(name)) return ['header_name', 'is not a valid header name'];
  if (forbidden.has(lower) || forbiddenFamilies.some((family) => lower.startsWith(family)))
    return ['forbidden_header', 'is set by the service or not allowed'];
  if (seen.has(lower)) return ['duplicate', 'occurs twice: names differ only by case'];
  if (!fieldValue.test(value)) return ['header_value', 'must have a value of printable ASCII characters, without spaces at its ends'];
  return undefined;
}

function refused(name: string, rule: string, reason: string) {
  const pointer = name === '' ? '/headers' : `/headers/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const shown = name === '' ? '`headers`' : 'A member of `headers`';
  return problems.validation_failed(`${shown} ${reason}.`, { errors: [{ name: name.slice(0, 100) || 'headers', pointer, reason, rule }] });
}
