import { sqlStatement } from '../platform/database/statement.ts';

/** Of these files, those that a version refers to, of whatever team. */
export const keptOf = sqlStatement<{ keys: readonly string[] }, { storage_key: string }>(
  'SELECT storage_key FROM document_version WHERE storage_key = ANY ($keys)',
);

/** Versions in the order of their files' keys. */
export const versionsAfter = sqlStatement<
  { after: string; limit: number },
  { team_id: string; document_id: string; number: number; storage_key: string }
>('SELECT team_id, document_id, number, storage_key FROM document_version WHERE storage_key > $after ORDER BY storage_key LIMIT $limit');
