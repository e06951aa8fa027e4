import type { Reader } from '../../../platform/database/database.ts';
import type { Actor } from '../../../platform/scope.ts';
import { type AccessibleRegistry, registryToWrite } from '../access.ts';
import { type ReadingOptions, type Manner, readFile, type ImportReading } from './read.ts';

/** A file that was read for a version of its registry, before the transaction that makes records of it: reading 10 MiB takes seconds. */
export type Ahead = { version: number; reading: ImportReading };

/** What is imported within the request; what is more goes to the background, and no row of it is kept until then. */
export const atOnce = { bytes: 128 * 1024, rows: 1_000 };

/** Reads a file by the fields that the registry has now, for somebody who may write records. Errors: 403, 404, 422 `registry_csv_invalid`. */
export async function readAhead(
  scope: { db: Reader; team: string; actor: Actor },
  registryId: string,
  content: Buffer,
  manner: Manner,
  kept: ReadingOptions = { keepsRows: content.length <= atOnce.bytes },
): Promise<Ahead> {
  const { registry } = await registryToWrite(scope, registryId);
  return { version: registry.version, reading: await readFile(content, { fields: registry.fields, team: scope.team }, manner, kept) };
}

/**
 * What was read, where the registry that is held now is still the one that it was read for; else it is read once more. The caller may add
 * to it what it finds wrong: a transaction that is run again begins from what was read.
 */
export async function readingFor(
  ahead: Ahead,
  { registry, team }: Pick<AccessibleRegistry, 'registry'> & { team: string },
  content: Buffer,
  manner: Manner,
  kept: ReadingOptions = { keepsRows: content.length <= atOnce.bytes },
): Promise<ImportReading> {
  if (registry.version !== ahead.version) return readFile(content, { fields: registry.fields, team }, manner, kept);
  const { bad, errors } = ahead.reading;
  return { ...ahead.reading, bad: new Set(bad), errors: [...errors] };
}
