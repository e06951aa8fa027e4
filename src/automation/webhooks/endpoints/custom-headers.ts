import { problems } from '../../../platform/problems.ts';
import type { CustomHeaders } from './secrets.ts';

const most = 20;
const mostBytes = 4_096;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
// RFC 9110 §5.5 without obs-text: printable ASCII, no space at either end.
const fieldValue = /^[!-~](?:[\t -~]*[!-~])?$/;

/**
 * Names that an owner may not set: what frames the message or belongs to the connection (RFC 9110 §7.6.1), what the
 * service itself says of a delivery, what tells a proxy where a request came from, and what metadata services of clouds
 * ask for before they give out credentials.
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

/** Checks headers that are to go with each delivery. Errors: 400, naming the header and never its value. */
export function checkHeaders(headers: Record<string, string>): CustomHeaders {
  const names = Object.keys(headers);
  const seen = new Set<string>();
  for (const name of names) {
    const fault = headerFault(name, headers[name] ?? '', seen);
    if (fault) throw refused(name, ...fault);
    seen.add(name.toLowerCase());
  }
  const size = names.reduce((sum, name) => sum + name.length + (headers[name]?.length ?? 0), 0);
  if (names.length > most || size > mostBytes) throw refused('', 'size', `must be at most ${most} of ${mostBytes} bytes together`);
  return headers;
}

function headerFault(name: string, value: string, seen: ReadonlySet<string>): [rule: string, reason: string] | undefined {
  const lower = name.toLowerCase();
  if (!token.test(name)) return ['header_name', 'is not the name of a header'];
  if (forbidden.has(lower) || forbiddenFamilies.some((family) => lower.startsWith(family)))
    return ['forbidden_header', 'is a header that the service sets itself or that must not be set'];
  if (seen.has(lower)) return ['duplicate', 'is given twice: names do not differ by case'];
  if (!fieldValue.test(value)) return ['header_value', 'must have a value of printable ASCII characters, without spaces at its ends'];
  return undefined;
}

function refused(name: string, rule: string, reason: string) {
  const pointer = name === '' ? '/headers' : `/headers/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const shown = name === '' ? '`headers`' : 'A member of `headers`';
  return problems.validation_failed(`${shown} ${reason}.`, { errors: [{ name: name.slice(0, 100) || 'headers', pointer, reason, rule }] });
}
