import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { KeptFile } from '../../../platform/http/downloads.ts';
import { documentProblems } from '../problems.ts';
import { type OpenVersion, openVersion } from '../versions.ts';
import * as queries from './queries.ts';

const why: Readonly<Record<string, string>> = {
  locked: 'It takes a password to open it.',
  limit: 'It is too large, or takes too much time or memory to draw.',
  missing: 'It is not in the storage: tell the operator.',
  unreadable: 'It is broken, or is not what its media type says.',
};

/**
 * Where the picture of a version's first page is kept. The caller may read the version; that an administrator was shown it
 * by their role alone is recorded. Errors: 409 `preview_pending`, 422 `preview_failed`, 422 `no_preview`.
 */
export async function openPreview(scope: ReadScope | Scope, { document, via, version }: OpenVersion): Promise<KeptFile> {
  const of = { team: scope.team, document: document.id, version: version.number };
  const found = await scope.db.first(queries.findPreview, of);
  if (!found) throw documentProblems.no_preview(`Version ${version.number} is a file of type ${version.media_type}.`);
  if (found.status === 'failed')
    throw documentProblems.preview_failed(`No picture could be made of version ${version.number}. ${why[found.reason ?? ''] ?? ''}`);
  const { storage_key: key, sha256, size } = found;
  if (key === null || sha256 === null || size === null)
    throw documentProblems.preview_pending(`The picture of version ${version.number} is being made. Ask again in a moment.`, {
      headers: { 'retry-after': '2' },
    });
  if ('listeners' in scope && via === 'role') await openVersion(scope, { document, via, version });
  return { storage_key: key, file_name: 'preview.webp', media_type: 'image/webp', size, sha256 };
}
