import {
  isObject,
  type JsonObject,
  keyOf,
  maxPath,
  memberIds,
  plainPath,
  readOnly,
  setAttribute,
  textOf,
  type UserAttribute,
  type UserChange,
} from './attributes.ts';
import { invalid } from './errors.ts';

export const maxOperations = 100;
export const maxMembersPerOperation = 1_000;
/** The most members of a group. */
export const maxMembers = 20_000;
/** Names of groups are indexed. */
export const maxGroupName = 255;

type PatchOperation = { op: 'add' | 'remove' | 'replace'; path: string | undefined; value: unknown };

function memberOf(object: JsonObject, name: string): unknown {
  return Object.entries(object).find(([member]) => member.toLowerCase() === name)?.[1];
}

/** Returns the operations of a PATCH (RFC 7644 §3.5.2). Entra ID writes `Add`, `Replace` and `Remove`. */
function operationsOf(body: unknown): PatchOperation[] {
  const given = isObject(body) ? memberOf(body, 'operations') : undefined;
  if (!Array.isArray(given) || given.length === 0) throw invalid('invalidSyntax', 'Send `Operations` with at least one operation.');
  if (given.length > maxOperations) throw invalid('tooMany', `Send at most ${maxOperations} operations at once.`);
  return given.map((one: unknown) => {
    if (!isObject(one)) throw invalid('invalidSyntax', 'An operation must be an object.');
    const [op, path, value] = [memberOf(one, 'op'), memberOf(one, 'path'), memberOf(one, 'value')];
    const name = typeof op === 'string' ? op.toLowerCase() : '';
    if (name !== 'add' && name !== 'remove' && name !== 'replace')
      throw invalid('invalidSyntax', '`op` must be `add`, `remove` or `replace`.');
    if (path !== undefined && path !== null && (typeof path !== 'string' || path.length > maxPath))
      throw invalid('invalidPath', `\`path\` must be a text with at most ${maxPath} characters.`);
    return { op: name, path: path ?? undefined, value };
  });
}

/** Returns the members of a value without a path. Throws 400 `noTarget` for `remove`. */
function membersOf({ op, value }: PatchOperation): [string, unknown][] {
  if (op === 'remove') throw invalid('noTarget', '`remove` needs a `path`.');
  if (!isObject(value)) throw invalid('invalidSyntax', 'Without a `path`, `value` must be an object.');
  return Object.entries(value);
}

/** Reads a PATCH of a user. Later operations override earlier ones. Throws 400. */
export function readUserPatch(body: unknown): UserChange {
  const change = new Map<UserAttribute, string | boolean | undefined>();
  for (const operation of operationsOf(body)) {
    const { op, path, value } = operation;
    if (path === undefined) for (const [member, one] of membersOf(operation)) setAttribute(change, member, one, 'member');
    else if (op !== 'remove' && value === undefined) throw invalid('invalidValue', `\`${op}\` needs a \`value\`.`);
    else setAttribute(change, path, op === 'remove' ? undefined : value, 'path');
  }
  return change;
}

/** A step of a change of members, in the order of the operations. */
export type MemberStep = { op: 'add' | 'remove' | 'replace'; ids: string[] } | { op: 'clear' };
/** A change of a group. An omitted name stays; `externalId` is null to remove it. */
export type GroupChange = { displayName?: string; externalId?: string | null; steps: MemberStep[] };

const oneMember = /^members\[value eq "([^"\\]{1,100})"\]$/i;

function setGroupAttribute(change: GroupChange, name: string, value: unknown): boolean {
  if (name === 'displayname') {
    const displayName = textOf(value, 'displayName', maxGroupName);
    if (displayName === undefined) throw invalid('invalidValue', '`displayName` is required.');
    change.displayName = displayName;
    return true;
  }
  if (name !== 'externalid') return false;
  change.externalId = keyOf(value, 'externalId') ?? null;
  return true;
}

/** Reads an operation without a path. */
function readGroupMembers(change: GroupChange, operation: PatchOperation): void {
  for (const [member, value] of membersOf(operation)) {
    const name = plainPath(member, 'group');
    if (name === 'members') change.steps.push({ op: operation.op, ids: memberIds(value, maxMembersPerOperation) });
    else if (!setGroupAttribute(change, name, value) && !readOnly.has(name))
      throw invalid('invalidSyntax', `The attribute \`${member.slice(0, 100)}\` is unknown.`);
  }
}

/** Reads an operation with a path. */
function readGroupPath(change: GroupChange, path: string, { op, value }: PatchOperation): void {
  const name = plainPath(path, 'group');
  const [, one] = oneMember.exec(name) ?? [];
  if (one !== undefined && op === 'remove') change.steps.push({ op, ids: memberIds(one, 1) });
  else if (name === 'members' && op === 'remove' && value === undefined) change.steps.push({ op: 'clear' });
  else if (name === 'members') change.steps.push({ op, ids: memberIds(value ?? [], maxMembersPerOperation) });
  else if (readOnly.has(name)) throw invalid('mutability', `\`${path.slice(0, 100)}\` is read-only.`);
  else if (!setGroupAttribute(change, name, op === 'remove' ? undefined : value))
    throw invalid('invalidPath', `The path \`${path.slice(0, 100)}\` is unknown.`);
}

/** Reads a PATCH of a group. Throws 400. */
export function readGroupPatch(body: unknown): GroupChange {
  const change: GroupChange = { steps: [] };
  for (const operation of operationsOf(body)) {
    if (operation.path === undefined) readGroupMembers(change, operation);
    else readGroupPath(change, operation.path, operation);
  }
  return change;
}

/** Reads a whole group in the body of POST or PUT. Throws 400. */
export function readGroup(body: unknown): { displayName: string; externalId: string | null; members: string[] | undefined } {
  if (!isObject(body)) throw invalid('invalidSyntax', 'Send a group as a JSON object.');
  const change: GroupChange = { steps: [] };
  let members: string[] | undefined;
  for (const [member, value] of Object.entries(body)) {
    const name = plainPath(member, 'group');
    if (name === 'members') members = memberIds(value ?? [], maxMembers);
    else if (!setGroupAttribute(change, name, value) && !readOnly.has(name) && !name.startsWith('urn:'))
      throw invalid('invalidSyntax', `The attribute \`${member.slice(0, 100)}\` is unknown.`);
  }
  if (change.displayName === undefined) throw invalid('invalidValue', '`displayName` is required.');
  return { displayName: change.displayName, externalId: change.externalId ?? null, members };
}
