import { leafHash, sha256 } from './merkle.ts';

/** The content of a leaf, as docs/concepts/audit-journal.md defines it: exactly these members, without absent ones. */
export type Record1 = {
  v: 1;
  id: string;
  /** The number of the entry in its team, from 1. */
  number: number;
  teamId: string;
  type: string;
  actor: { type: string; id?: string };
  target?: { type: string; id?: string };
  /** UTC with six decimals of a second. */
  at: string;
  requestId?: string;
  /** Digest of the address with its separate salt, base64: see {@link addressDigest}. */
  ip?: string;
  data: Record<string, unknown>;
  salt: string;
};

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

/** The log entry of a record, 32 bytes, as in entry bundles. It discloses nothing about the record. */
export function commitment(record: Record1): Buffer {
  return sha256(Buffer.from(canonicalJson(record)));
}

/** The hash of a leaf in the tree (RFC 9162 §2.1.1). */
export function recordLeaf(record: Record1): Buffer {
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
};

/** Returns the address of a row and its salt, if they are not erased. */
export function addressOf(row: LeafRow): Address | undefined {
  return row.ip === null || row.ip_salt === null ? undefined : { salt: row.ip_salt, ip: row.ip };
}

export function recordOf(row: LeafRow, number: number): Record1 {
  const address = addressOf(row);
  const digest = address ? addressDigest(address) : row.ip_digest;
  return {
    v: 1,
    id: row.id,
    number,
    teamId: row.team_id,
    type: row.type,
    actor: { type: row.actor_type, ...(row.actor_id === null ? {} : { id: row.actor_id }) },
    ...(row.target_type === null ? {} : { target: { type: row.target_type, ...(row.target_id === null ? {} : { id: row.target_id }) } }),
    at: row.exact_at,
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    ...(digest ? { ip: digest.toString('base64') } : {}),
    data: row.data as Record1['data'],
    salt: row.salt,
  };
}
