import { leafHash, sha256 } from './merkle.ts';

type Entity = { type: string; id?: string };

/** The content of a leaf of version 1, as docs/concepts/audit-journal.md defines it: exactly these members, without absent ones. */
export type Record1 = {
  v: 1;
  id: string;
  /** The number of the entry in its team, from 1. */
  number: number;
  teamId: string;
  type: string;
  actor: Entity;
  target?: Entity;
  /** UTC with six decimals of a second. */
  at: string;
  requestId?: string;
  /** Digest of the address with its separate salt, base64: see {@link addressDigest}. */
  ip?: string;
  data: Record<string, unknown>;
  salt: string;
};

/** The content of a leaf of version 2: an open header. Without the body it shows that there is an entry, and of which type. */
export type Record2 = Pick<Record1, 'id' | 'number' | 'teamId' | 'type' | 'at'> & {
  v: 2;
  target?: { type: string };
  /** Digest of the body, base64: see {@link bodyDigest}. */
  body: string;
};

/** The rest of an entry of version 2. */
export type RecordBody = Pick<Record1, 'salt' | 'actor' | 'requestId' | 'ip' | 'data'> & { targetId?: string };

export type AuditRecord = Record1 | Record2;

/** A record, and its body if the record is of version 2. */
export type OpenRecord = { record: AuditRecord; body?: RecordBody };

/** Reveals the address of a record. Absent after its erasure, and for records without an address. */
export type Address = { salt: string; ip: string };

/** Returns canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** SHA-256 over the canonical JSON of `[salt, "ip", address]`. The salt prevents guesses of all possible addresses. */
export function addressDigest({ salt, ip }: Address): Buffer {
  return sha256(Buffer.from(canonicalJson([salt, 'ip', ip])));
}

/** SHA-256 over the canonical JSON of `[salt, "body", body]`, base64. The salt prevents guesses of the body. */
export function bodyDigest(body: RecordBody): string {
  return sha256(Buffer.from(canonicalJson([body.salt, 'body', body]))).toString('base64');
}

/** The log entry of a record, 32 bytes, as in entry bundles. It discloses nothing about the record. */
export function commitment(record: AuditRecord): Buffer {
  return sha256(Buffer.from(canonicalJson(record)));
}

/** The hash of a leaf in the tree (RFC 9162 §2.1.1). */
export function recordLeaf(record: AuditRecord): Buffer {
  return leafHash(commitment(record));
}

/** A row with the columns of a leaf. */
export type LeafRow = {
  team_id: string;
  id: string;
  type: string;
  actor_type: string;
  actor_id: string | null;
  target_type: string | null;
  target_id: string | null;
  /** UTC with six decimals of a second. */
  exact_at: string;
  ip: string | null;
  request_id: string | null;
  data: unknown;
  salt: string;
  ip_salt: string | null;
  ip_digest: Buffer | null;
  record_version: number;
};

/** Returns the address of a row and its salt, if they are not erased. */
export function addressOf(row: LeafRow): Address | undefined {
  return row.ip === null || row.ip_salt === null ? undefined : { salt: row.ip_salt, ip: row.ip };
}

/** Returns the record of an entry, with its body if the record is of version 2. */
export function recordOf(row: LeafRow, number: number): OpenRecord {
  const address = addressOf(row);
  const digest = address ? addressDigest(address) : row.ip_digest;
  const header = { id: row.id, number, teamId: row.team_id, type: row.type, at: row.exact_at };
  const content = {
    salt: row.salt,
    actor: { type: row.actor_type, ...(row.actor_id === null ? {} : { id: row.actor_id }) },
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    ...(digest ? { ip: digest.toString('base64') } : {}),
    data: row.data as Record1['data'],
  };
  const { target_type: type, target_id: targetId } = row;
  if (row.record_version === 1) {
    const target = type === null ? {} : { target: { type, ...(targetId === null ? {} : { id: targetId }) } };
    return { record: { v: 1, ...header, ...target, ...content } };
  }
  const body = { ...content, ...(targetId === null ? {} : { targetId }) };
  return { record: { v: 2, ...header, ...(type === null ? {} : { target: { type } }), body: bodyDigest(body) }, body };
}
