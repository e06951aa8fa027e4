import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The one secret that an operator keeps: every key that encrypts or authenticates at rest is derived from it. */
export type MasterKey = {
  /** A 32-byte key for one purpose (HKDF-SHA-256, RFC 5869). */
  derive(purpose: string): Buffer;
  /** Tells whether a database was written with this key; reveals nothing of it. */
  fingerprint: string;
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

function masterKey(key: Buffer): MasterKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `chancery ${purpose}`, bytes));
  return { derive, fingerprint: derive('fingerprint').toString('base64url').slice(0, 22) };
}

/**
 * The configured key, or the one in `<dataDir>/master.key`, which is generated there when `generate` says so.
 * Of several processes that start at once one writes the file and the others read it.
 * Throws one sentence that says what to do and never repeats the key.
 */
export async function loadMasterKey(options: {
  configured: string | undefined;
  dataDir: string;
  generate: 'if-missing' | 'never';
}): Promise<MasterKey> {
  if (options.configured !== undefined) {
    const key = decode(options.configured.trim());
    if (!key) throw new Error('MASTER_KEY must be 32 bytes as base64 or hex, for example from `openssl rand -base64 32`.');
    return masterKey(key);
  }
  const file = join(options.dataDir, 'master.key');
  const text = (await readIfThere(file)) ?? (options.generate === 'if-missing' ? await generate(options.dataDir, file) : undefined);
  if (text === undefined)
    throw new Error('MASTER_KEY is not set: give the 32 bytes that this database was written with, as base64 or hex.');
  const key = decode(text.trim());
  if (!key)
    throw new Error(`The file ${file} does not hold a master key of 32 bytes. Put back the file this data directory was made with.`);
  return masterKey(key);
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
  await mkdir(dataDir, { recursive: true });
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
