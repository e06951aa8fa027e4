import { plainPath } from './attributes.ts';
import { invalid } from './errors.ts';

type ComparisonOperator = 'eq' | 'co' | 'sw' | 'gt' | 'ge' | 'pr';
type Attribute = 'id' | 'userName' | 'externalId' | 'active' | 'email' | 'displayName' | 'member' | 'lastModified';
/** A comparison of a filter. All terms of a filter must hold. */
export type Term =
  | { attribute: 'id' | 'member'; op: 'eq'; value: string }
  | { attribute: 'active'; op: 'eq'; value: boolean }
  | { attribute: 'lastModified'; op: 'eq' | 'gt' | 'ge'; value: string }
  | { attribute: 'userName' | 'externalId' | 'email' | 'displayName'; op: 'eq' | 'co' | 'sw'; value: string }
  | { attribute: Exclude<Attribute, 'member'>; op: 'pr' };

const maxTerms = 4;
const maxLength = 512;

const names: Record<'user' | 'group', ReadonlyMap<string, Attribute>> = {
  user: new Map([
    ['id', 'id'],
    ['username', 'userName'],
    ['externalid', 'externalId'],
    ['active', 'active'],
    ['emails', 'email'],
    ['emails.value', 'email'],
    ['emails[type eq "work"].value', 'email'],
    ['displayname', 'displayName'],
    ['meta.lastmodified', 'lastModified'],
  ]),
  group: new Map([
    ['id', 'id'],
    ['externalid', 'externalId'],
    ['displayname', 'displayName'],
    ['members', 'member'],
    ['members.value', 'member'],
    ['meta.lastmodified', 'lastModified'],
  ]),
};

/** One comparison at the start of a filter, with the following `and`. */
const comparison =
  /^([A-Za-z][\w:.$-]*(?:\[type eq "work"\])?(?:\.\w+)?)\s+(eq|co|sw|gt|ge|pr)(?:\s+("(?:[^"\\]|\\.)*"|true|false))?(?:(\s+and\s+)|\s*$)/i;

/**
 * Reads a filter (RFC 7644 §3.4.2.2): comparisons with `and`, at most four in 512 characters, without brackets. Throws 400 `invalidFilter` for the rest of
 * the syntax.
 */
export function readFilter(filter: string, of: 'user' | 'group'): Term[] {
  if (filter.length > maxLength) throw unsupported(`it has more than ${maxLength} characters`);
  const terms: Term[] = [];
  let rest = filter.trim();
  for (;;) {
    const [whole, path = '', op = '', literal, more] = comparison.exec(rest) ?? [];
    if (whole === undefined) throw unsupported('it is not a list of comparisons with `and`');
    if (terms.length === maxTerms) throw unsupported(`it has more than ${maxTerms} comparisons`);
    const attribute = names[of].get(plainPath(path, of));
    if (attribute === undefined) throw unsupported(`\`${path.slice(0, 100)}\` cannot be compared`);
    terms.push(termOf(attribute, op.toLowerCase() as ComparisonOperator, literal));
    rest = rest.slice(whole.length);
    if (more === undefined) return terms;
  }
}

function termOf(attribute: Attribute, op: ComparisonOperator, literal: string | undefined): Term {
  if (op === 'pr') {
    if (literal !== undefined || attribute === 'member') throw unsupported('`pr` has no value');
    return { attribute, op };
  }
  const value = valueOf(literal);
  if (typeof value === 'boolean' || attribute === 'active') {
    // Entra ID compares with the text "True".
    const given = typeof value === 'string' ? /^(?:true|false)$/i.exec(value)?.[0].toLowerCase() === 'true' : value;
    if (attribute !== 'active' || op !== 'eq' || (typeof value === 'string' && !/^(?:true|false)$/i.test(value)))
      throw unsupported('only `active` has a truth value, and only `eq` compares it');
    return { attribute, op, value: given };
  }
  if (attribute === 'lastModified') {
    if (op === 'co' || op === 'sw' || !isTime(value))
      throw unsupported('`meta.lastModified` is compared with a time by `eq`, `gt` or `ge`');
    return { attribute, op, value: new Date(value).toISOString() };
  }
  if (attribute === 'id' || attribute === 'member') {
    if (op !== 'eq') throw unsupported(`\`${attribute}\` is compared by \`eq\``);
    return { attribute, op, value };
  }
  if (op === 'gt' || op === 'ge') throw unsupported('texts are compared by `eq`, `co` or `sw`');
  return { attribute, op, value };
}

function valueOf(literal: string | undefined): string | boolean {
  if (literal === undefined) throw unsupported('a comparison has no value');
  if (!literal.startsWith('"')) return literal.toLowerCase() === 'true';
  let text: unknown;
  try {
    text = JSON.parse(literal);
  } catch {
    throw unsupported('a text is not valid JSON');
  }
  if (typeof text !== 'string' || !text.isWellFormed() || text.includes('\0')) throw unsupported('a text has characters that no value has');
  return text;
}

const isTime = (text: string): boolean =>
  /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

const unsupported = (why: string) =>
  invalid(
    'invalidFilter',
    `The filter is not supported: ${why}. Compare attributes with \`eq\`, \`co\`, \`sw\`, \`gt\`, \`ge\` or \`pr\`, joined by \`and\`.`,
  );
