import type { Upload } from '../../platform/http/uploads.ts';
import type { Scope } from '../../platform/scope.ts';
import * as queries from './queries.ts';
import { setDocumentStatus } from './service.ts';
import { addFile } from './versions.ts';

/**
 * Adds the sealed file of a signature request as the newest version, and makes the document `signed`. The caller must hold the lock of the document.
 * Returns the version number, or undefined if the document is gone.
 */
export async function addSealedVersion(scope: Scope, id: string, upload: Upload, signatureId: string): Promise<number | undefined> {
  const document = await scope.db.first(queries.toSeal, { team: scope.team, id });
  if (!document) return undefined;
  const number = document.current_version + 1;
  await addFile(scope, { ...document, number }, upload, { by: { id: signatureId, type: 'system' }, signatureId });
  await setDocumentStatus(scope, id, 'signed');
  return number;
}
