import { isUuid } from '../../../platform/identifiers.ts';
import { invalid } from './errors.ts';

/** Attributes of a user that are stored as texts. */
export const details = [
  'displayName',
  'formatted',
  'givenName',
  'familyName',
  'title',
  'preferredLanguage',
  'locale',
  'timezone',
  'department',
  'employeeNumber',
  'manager',
] as const;
export type Detail = (typeof details)[number];
export type Details = Partial<Record<Detail, string>>;

/** A user as the directory describes them. */
export type UserState = {
  userName: string;
  externalId: string | undefined;
  active: boolean;
  email: string | undefined;
  details: Details;
};
export type UserAttribute = Detail | 'userName' | 'externalId' | 'active' | 'email';
/** New values of attributes. `undefined` removes the value. */
export type UserChange = ReadonlyMap<UserAttribute, string | boolean | undefined>;

export const schemaOf = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const;
const prefixes = { user: `${schemaOf.user}:`.toLowerCase(), group: `${schemaOf.group}:`.toLowerCase() };
const enterprise = `${schemaOf.enterprise}:`.toLowerCase();

/** Attributes by their names in lower case, because names of attributes ignore case (RFC 7643 §2.1). */
const userAttributes = new Map<string, UserAttribute>([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['active', 'active'],
  ['displayname', 'displayName'],
  ['name.formatted', 'formatted'],
  ['name.givenname', 'givenName'],
  ['name.familyname', 'familyName'],
  ['title', 'title'],
  ['preferredlanguage', 'preferredLanguage'],
  ['locale', 'locale'],
  ['timezone', 'timezone'],
  [`${enterprise}department`, 'department'],
  [`${enterprise}employeenumber`, 'employeeNumber'],
  [`${enterprise}manager`, 'manager'],
  [`${enterprise}manager.value`, 'manager'],
]);
export const readOnly: ReadonlySet<string> = new Set(['id', 'schemas', 'meta', 'groups']);
/** Accepted and not stored: known attributes that Chancery does not use, and extensions. */
const unused =
  /^(?:addresses|entitlements|ims|nickname|password|phonenumbers|photos|profileurl|roles|usertype|x509certificates)(?:[.[]|$)|^name\.(?:middlename|honorific(?:prefix|suffix))$|^urn:/;
/** The address of the person: the whole list, the address at work or the primary one, or its value. */
const email = /^emails(?:\[(?:type eq "work"|primary eq "?true"?)\](?:\.value)?|\.value)?$/;
/** Other addresses and other members of an address. */
const otherEmail = /^emails(?:\[[^\]]{1,100}\](?:\.[a-z]{1,20})?|\.(?:type|primary|display))$/;

const maxText = 1_000;
/** These are indexed. */
const maxKey = 256;
export const maxPath = 300;

/** Returns the path of an attribute without the URN of its core schema, in lower case. */
export function plainPath(path: string, of: keyof typeof prefixes): string {
  const lower = path.toLowerCase();
  return lower.startsWith(prefixes[of]) ? lower.slice(prefixes[of].length) : lower;
}

export type JsonObject = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Entra ID sends `"True"` and `"False"` as texts. */
function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid('invalidValue', `\`${name}\` must be true or false.`);
}

/** Returns a text; undefined for null and an empty text, which have no value (RFC 7643 §2.5). */
export function textOf(value: unknown, name: string, most = maxText): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalid('invalidValue', `\`${name}\` must be a text.`);
  if (value.length > most) throw invalid('invalidValue', `\`${name}\` has more than ${most} characters.`);
  // PostgreSQL stores neither.
  if (!value.isWellFormed() || value.includes('\0'))
    throw invalid('invalidValue', `\`${name}\` contains characters that cannot be stored.`);
  return value.trim() === '' ? undefined : value;
}

export const keyOf = (value: unknown, name: string): string | undefined => textOf(value, name, maxKey);

/** The manager is an object (RFC 7643 §4.3), or a text from Entra ID. */
const managerOf = (value: unknown): string | undefined => textOf(isObject(value) ? valueOf(value, 'value') : value, 'manager');

/** Returns a member of an object by its name without case. */
function valueOf(object: JsonObject, name: string): unknown {
  return Object.entries(object).find(([member]) => member.toLowerCase() === name)?.[1];
}

/** Returns the address of a list: the primary one, that at work, or the first. */
function emailOf(value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === 'string') return keyOf(value, 'emails.value');
  const listed = [value].flat().map((one) => {
    if (!isObject(one)) throw invalid('invalidValue', '`emails` must be a list of objects with `value`.');
    return { value: valueOf(one, 'value'), isPrimary: valueOf(one, 'primary'), type: valueOf(one, 'type') };
  });
  const chosen = listed.find(({ isPrimary }) => isPrimary === true) ?? listed.find(({ type }) => type === 'work') ?? listed[0];
  return keyOf(chosen?.value, 'emails.value');
}

function readAttribute(attribute: UserAttribute, value: unknown): string | boolean | undefined {
  switch (attribute) {
    case 'active':
      return booleanOf(value, attribute);
    case 'manager':
      return managerOf(value);
    case 'userName':
    case 'externalId':
      return keyOf(value, attribute);
    default:
      return textOf(value, attribute);
  }
}

/** How an attribute was named: by the path of an operation, or as a member of a value, which may contain read-only attributes. */
export type Naming = 'path' | 'member';

/**
 * Adds the value of one attribute to a change. Names are only compared; no name of the request indexes an object. Throws 400 `mutability` for a read-only
 * path, and `invalidPath` or `invalidSyntax` for an unknown attribute.
 */
export function setAttribute(change: Map<UserAttribute, string | boolean | undefined>, path: string, value: unknown, naming: Naming): void {
  const name = plainPath(path, 'user');
  const removes = value === undefined;
  if (readOnly.has(name)) {
    if (naming === 'member') return;
    throw invalid('mutability', `\`${path.slice(0, 100)}\` is read-only.`);
  }
  const known = userAttributes.get(name);
  if (known !== undefined) {
    change.set(known, removes && known !== 'active' ? undefined : readAttribute(known, value));
  } else if (email.test(name)) {
    change.set('email', emailOf(value));
  } else if ((name === 'name' || name === enterprise.slice(0, -1)) && (removes || value === null)) {
    const prefix = name === 'name' ? 'name.' : enterprise;
    for (const [member, attribute] of userAttributes) if (member.startsWith(prefix)) change.set(attribute, undefined);
  } else if ((name === 'name' || name === enterprise.slice(0, -1)) && isObject(value)) {
    for (const [member, one] of Object.entries(value))
      setAttribute(change, `${name === 'name' ? 'name.' : enterprise}${member}`, one, naming);
  } else if (!unused.test(name) && !otherEmail.test(name)) {
    throw invalid(naming === 'path' ? 'invalidPath' : 'invalidSyntax', `The attribute \`${path.slice(0, 100)}\` is unknown.`);
  }
}

/** Returns the attributes of a whole user in the body of POST or PUT. */
export function readUser(body: unknown): UserChange {
  if (!isObject(body)) throw invalid('invalidSyntax', 'Send a user as a JSON object.');
  const change = new Map<UserAttribute, string | boolean | undefined>();
  for (const [member, value] of Object.entries(body)) setAttribute(change, member, value ?? undefined, 'member');
  return change;
}

const textIn = (change: UserChange, attribute: UserAttribute, otherwise: string | undefined): string | undefined => {
  const value = change.has(attribute) ? change.get(attribute) : otherwise;
  return typeof value === 'string' ? value : undefined;
};

/** Returns a user after a change. `before` is the user so far; a PUT keeps `active` alone. Throws 400 without `userName`. */
export function changedUser(before: Partial<UserState>, change: UserChange): UserState {
  const userName = textIn(change, 'userName', before.userName);
  if (userName === undefined) throw invalid('invalidValue', '`userName` is required.');
  const active = change.has('active') ? change.get('active') : before.active;
  const kept = details.flatMap((name) => {
    const value = textIn(change, name, before.details?.[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    userName,
    externalId: textIn(change, 'externalId', before.externalId),
    active: active !== false,
    email: textIn(change, 'email', before.email),
    details: Object.fromEntries(kept),
  };
}

/** Returns the ids of members. Throws 400 `invalidValue` for a value that is not a user. */
export function memberIds(value: unknown, most: number): string[] {
  const listed = Array.isArray(value) ? (value as unknown[]) : [value];
  if (listed.length > most) throw invalid('tooMany', `Send at most ${most} members at once.`);
  return listed.map((one) => {
    const id = isObject(one) ? valueOf(one, 'value') : one;
    const type = isObject(one) ? valueOf(one, 'type') : undefined;
    if (typeof type === 'string' && type.toLowerCase() === 'group')
      throw invalid('invalidValue', 'A member of a group must be a user. Groups in groups are not supported.');
    if (typeof id !== 'string' || !isUuid(id)) throw invalid('invalidValue', 'A member has no `value` with the id of a user.');
    return id.toLowerCase();
  });
}
