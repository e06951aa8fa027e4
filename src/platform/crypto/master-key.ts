import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../storage/make-folder.ts';
import { type Box, createBox } from './secretbox.ts';

/** What lasting keys are for: hashes of passwords, of clients' secrets and of requests, which are compared as long as those are good. */
export const lastingPurposes = ['password-pepper', 'client-secrets', 'idempotent-requests'] as const;
export type LastingPurpose = (typeof lastingPurposes)[number];

/**
 * The one secret that an operator keeps: every key that encrypts or authenticates at rest is derived from it. While it is
 * being replaced there are several: the first is the one in use, the others are accepted.
 */
export type MasterKey = {
  /** A 32-byte key for one purpose (HKDF-SHA-256, RFC 5869), for what is only compared for minutes. */
  derive(purpose: string): Buffer;
  /** The same of each key that is accepted, the one in use first: for what was authenticated under another meanwhile. */
  accepted(purpose: string): readonly [Buffer, ...Buffer[]];
  /** A key that stays when the master key is replaced: for hashes of what nobody keeps, which cannot be made anew. */
  lasting(purpose: LastingPurpose): Buffer;
  /** Seals under the key in use, and opens what any accepted one sealed. */
  box(purpose: string): Box;
  /** Tells whether a database was written with this key; reveals nothing of it. */
  fingerprint: string;
  /** Of all that are accepted, the one in use first. */
  fingerprints: readonly string[];
  /** The same, with the lasting keys as a database keeps them, and where it keeps none, of the key with this fingerprint. */
  withLasting(fingerprint: string, kept: ReadonlyMap<string, Buffer>): MasterKey;
};

const bytes = 32;

/** Reads 32 bytes given as hex, base64 or base64url; nothing when the text is anything else. */
function decode(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}

/** True for a text that {@link loadMasterKey} takes. */
export function isMasterKey(text: string): boolean {
  return decode(text) !== undefined;
}

const deriveFrom = (key: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `chancery ${purpose}`, bytes));
const fingerprintOf = (key: Buffer) => deriveFrom(key, 'fingerprint').toString('base64url').slice(0, 22);

function masterKey(
  keys: readonly [Buffer, ...Buffer[]],
  lastingOf: Buffer = keys[0],
  kept: ReadonlyMap<string, Buffer> = new Map(),
): MasterKey {
  const [first, ...others] = keys;
  const accepted = (purpose: string): [Buffer, ...Buffer[]] => [
    deriveFrom(first, purpose),
    ...others.map((key) => deriveFrom(key, purpose)),
  ];
  return {
    derive: (purpose) => deriveFrom(first, purpose),
    accepted,
    lasting: (purpose) => kept.get(purpose) ?? deriveFrom(lastingOf, purpose),
    box: (purpose) => createBox(accepted(purpose)),
    fingerprint: fingerprintOf(first),
    fingerprints: keys.map(fingerprintOf),
    withLasting: (fingerprint, now) => masterKey(keys, keys.find((key) => fingerprintOf(key) === fingerprint) ?? first, now),
  };
}

/**
 * The configured key, or the one in `<dataDir>/master.key`, which is generated there when `generate` says so.
 * Of several processes that start at once one writes the file and the others read it.
 * Throws one sentence that says what to do and never repeats the key.
 */
export async function loadMasterKey(options: {
  configured: string | undefined;
  /** Other keys that are accepted while this one replaces them, or is replaced by them. */
  others?: readonly string[];
  dataDir: string;
  generate: 'if-missing' | 'never';
}): Promise<MasterKey> {
  if (options.configured !== undefined) {
    const key = decode(options.configured.trim());
    if (!key) throw new Error('MASTER_KEY must be 32 bytes as base64 or hex, for example from `openssl rand -base64 32`.');
    return masterKey([key, ...otherKeys(options.others ?? [])]);
  }
  const file = join(options.dataDir, 'master.key');
  const text = (await readIfThere(file)) ?? (options.generate === 'if-missing' ? await generate(options.dataDir, file) : undefined);
  if (text === undefined)
    throw new Error('MASTER_KEY is not set: give the 32 bytes that this database was written with, as base64 or hex.');
  const key = decode(text.trim());
  if (!key)
    throw new Error(`The file ${file} does not hold a master key of 32 bytes. Put back the file this data directory was made with.`);
  return masterKey([key, ...otherKeys(options.others ?? [])]);
}

function otherKeys(given: readonly string[]): Buffer[] {
  return given.map((text) => {
    const key = decode(text.trim());
    if (!key) throw new Error('MASTER_KEYS_ACCEPTED must be keys of 32 bytes as base64 or hex, separated by commas.');
    return key;
  });
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    if (code === 'ENOENT') return undefined;
    throw new Error(`The master key in ${file} cannot be read (${code}): make it a file that the user of this process may read.`, {
      cause: error,
    });
  }
}

async function generate(dataDir: string, file: string): Promise<string> {
  await makeFolder(dataDir);
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, `${randomBytes(bytes).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    // A link fails when the file is there: whoever links first has made the key.
    await link(temporary, file);
    // The name too must be on the disk before anything is encrypted: a key that a power cut takes away is lost data.
    const folder = await open(dataDir);
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await unlink(temporary);
  }
  return readFile(file, 'utf8');
}
