import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { hasCode } from '../storage/file-system-errors.ts';

const closed = { additionalProperties: false };
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const fileName = Type.String({ pattern: '^[\\w.-]+(/[\\w.-]+)?$' });

const part = Type.Object(
  {
    table: Type.String(),
    columns: Type.Array(Type.String()),
    file: fileName,
    rows: Type.Integer({ minimum: 0 }),
    sha256,
  },
  closed,
);

const manifest = Type.Object(
  {
    format: Type.Literal('chancery backup 1'),
    /** The version that made the backup. */
    version: Type.String(),
    createdAt: Type.String(),
    /** The identifier of the first entry of the journal. */
    installation: Type.Union([Type.String(), Type.Null()]),
    /** The migrations of the database. */
    schema: Type.Array(Type.Object({ name: Type.String(), sha256 }, closed)),
    /** The identifiers of the master keys that the database needs. */
    masterKeys: Type.Array(Type.String()),
    /** The newest signed checkpoint of the journal. */
    checkpoint: Type.Union([Type.String(), Type.Null()]),
    database: Type.Array(part),
    /** The stored files. `list` has the SHA-256 of each, as `sha256sum` writes it. `missing` are files that the storage did not have. */
    files: Type.Object(
      { list: fileName, sha256, count: Type.Integer({ minimum: 0 }), missing: Type.Array(Type.String(), { maxItems: 1_000 }) },
      closed,
    ),
  },
  closed,
);

/** The description of a backup. It is the last file that a backup writes. */
export type Manifest = Static<typeof manifest>;
export type BackupPart = Static<typeof part>;

const name = 'manifest.json';

/** Reads the description of a backup. Returns undefined if the folder has none. Throws for an unknown format. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = parse(text);
  if (!Value.Check(manifest, parsed)) throw new Error(`${join(folder, name)} is damaged, or a newer version of Chancery wrote it.`);
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes the description of a backup completely or not at all. The backup is valid once this file exists. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const temporary = join(folder, `${name}.new`);
  await writeFile(temporary, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flush: true });
  await rename(temporary, join(folder, name));
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Computes the SHA-256 of a file in hexadecimal digits. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
