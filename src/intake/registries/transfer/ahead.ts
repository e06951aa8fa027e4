import type { Reader } from '../../../platform/database/database.ts';
import type { Actor } from '../../../platform/scope.ts';
import { type AccessibleRegistry, registryToWrite } from '../access.ts';
import { type ReadingOptions, type Manner, readFile, type ImportReading } from './read.ts';

/** A file that was read before the transaction of its import, because reading 10 MiB takes seconds. `version` is the version of the registry. */
export type Ahead = { version: number; reading: ImportReading };

/** The limits for an import within the request. A larger file is imported in the background, and its rows are not kept in memory until then. */
export const atOnce = { bytes: 128 * 1024, rows: 1_000 };

/** Reads a file with the current fields of a registry whose records the actor can change. Throws 403, 404 and 422 `registry_csv_invalid`. */
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
 * Returns the result of reading a file if the registry has not changed since; otherwise reads the file again. It copies the errors, because the
 * caller adds more and a repeated transaction must start from the original errors.
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
