import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { KeptFile } from '../../../platform/http/downloads.ts';
import { documentProblems } from '../problems.ts';
import { type OpenVersion, openVersion } from '../versions.ts';
import * as queries from './queries.ts';

const why: Readonly<Record<string, string>> = {
  locked: 'The file needs a password to open.',
  limit: 'The file is too large, or needs too much time or memory to draw.',
  missing: 'The file is missing in the storage. Inform the operator.',
  unreadable: 'The file is broken, or does not match its media type.',
};

/**
 * Returns the file of a version’s preview image. The caller may read the version; reads by role alone are recorded. Errors: 409 `preview_pending`,
 * 422 `preview_failed`, `no_preview`.
 */
export async function openPreview(scope: ReadScope | Scope, { document, via, version }: OpenVersion): Promise<KeptFile> {
  const of = { team: scope.team, document: document.id, version: version.number };
  const found = await scope.db.first(queries.findPreview, of);
  if (!found) throw documentProblems.no_preview(`Version ${version.number} is a file of type ${version.media_type}, which has no preview.`);
  if (found.status === 'failed')
    throw documentProblems.preview_failed(`Version ${version.number} has no preview image. ${why[found.reason ?? ''] ?? ''}`);
  const { storage_key: key, sha256, size } = found;
  if (key === null || sha256 === null || size === null)
    throw documentProblems.preview_pending(
      `The preview image of version ${version.number} is not ready yet. Send the request again in a few seconds.`,
      {
        headers: { 'retry-after': '2' },
      },
    );
  if ('listeners' in scope && via === 'role') await openVersion(scope, { document, via, version });
  return { storage_key: key, file_name: 'preview.webp', media_type: 'image/webp', size, sha256 };
}
