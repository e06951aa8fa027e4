import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../storage/make-folder.ts';
import { type Box, createBox } from './secretbox.ts';

/**
 * Purposes of keys that do not change with the master key. They hash passwords, client secrets and requests, and these hashes must stay comparable.
 */
export const lastingPurposes = ['password-pepper', 'client-secrets', 'idempotent-requests'] as const;
export type LastingPurpose = (typeof lastingPurposes)[number];

/**
 * The only secret of the operator. All keys that encrypt or authenticate stored data are derived from it. During a rotation there are several keys:
 * the first is in use, and the others are accepted.
 */
export type MasterKey = {
  /** Derives a 32-byte key for a purpose (HKDF-SHA-256, RFC 5869). For values that are valid for minutes only. */
  derive(purpose: string): Buffer;
  /** Derives the key of a purpose from each accepted master key, the one in use first. For values authenticated before the rotation. */
  accepted(purpose: string): readonly [Buffer, ...Buffer[]];
  /** Returns a key that does not change with the master key. For hashes that cannot be computed again, because their input is not stored. */
  lasting(purpose: LastingPurpose): Buffer;
  /** Returns a box that encrypts with the key in use and decrypts with every accepted key. */
  box(purpose: string): Box;
  /** Identifies the key that wrote a database. Reveals nothing about the key. */
  fingerprint: string;
  /** The fingerprints of all accepted keys, the one in use first. */
  fingerprints: readonly string[];
  /** Returns a copy that uses the lasting keys stored in the database. For missing ones, derives them from the master key with this fingerprint. */
  withLasting(fingerprint: string, kept: ReadonlyMap<string, Buffer>): MasterKey;
};

const bytes = 32;

/** Decodes 32 bytes from hex, base64 or base64url. Returns undefined for any other text. */
function decode(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}

/** Whether {@link loadMasterKey} accepts the text. */
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
 * Loads the configured key or `<dataDir>/master.key`, and generates the file if `generate` allows it. If several processes start at once, one writes
 * the file and the others read it. Throws an error with an instruction and without the key.
 */
export async function loadMasterKey(options: {
  configured: string | undefined;
  /** Further keys that are accepted during a rotation. */
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
  if (text === undefined) throw new Error('MASTER_KEY is not set. Set it to the 32 bytes that encrypted this database, as base64 or hex.');
  const key = decode(text.trim());
  if (!key)
    throw new Error(`The file ${file} does not contain a master key of 32 bytes. Restore the original file of this data directory.`);
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
    throw new Error(`The master key file ${file} cannot be read (${code}). Make it readable for the user of this process.`, {
      cause: error,
    });
  }
}

async function generate(dataDir: string, file: string): Promise<string> {
  await makeFolder(dataDir);
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, `${randomBytes(bytes).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    // `link` fails if the file exists, so only one process can create the key.
    await link(temporary, file);
    // The directory entry must be on disk before any encryption. If a power failure removed the key, the data would be lost.
    const folder = await open(dataDir);
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await unlink(temporary);
  }
  return readFile(file, 'utf8');
}
