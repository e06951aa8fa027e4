import type { ListPage } from '../../../platform/database/json-page.ts';
import { searchParams } from '../../../platform/database/list-filters.ts';
import { pageSize, timeOfCursor } from '../../../platform/http/page.ts';
import { largestId, notFound, pathId } from '../../../platform/identifiers.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { AccessibleForm } from '../queries.ts';
import { outputsOf, type OutputRow } from '../outputs/queries.ts';
import { newestSubmissions } from './list-queries.ts';
import * as queries from './queries.ts';
import type { SubmissionFilters, SubmissionView } from './schemas.ts';

type SubmissionCursor = { time: string; beyond: string; limit: number };

/** The default page size. Submissions are larger than other list items. */
const usualPage = 100;

/** Returns the start and the length of a page. Throws 400 for a cursor of another list. */
export function pageWanted(query: { limit?: number | undefined; cursor?: string | undefined }): SubmissionCursor {
  const place = timeOfCursor(query.cursor);
  return { limit: pageSize(query, usualPage), time: place?.time ?? 'infinity', beyond: place?.id ?? largestId };
}

/** Fills in the default filters. */
export const chosen = ({ status = ['received', 'failed'], from = '-infinity', to = 'infinity' }: SubmissionFilters) => ({
  shelves: status,
  from,
  to,
});

/** Returns a page of the submissions of forms, newest first. */
export function listSubmissions(
  { db, team }: ReadScope,
  interfaces: readonly string[],
  filters: SubmissionFilters,
  page: SubmissionCursor,
): Promise<ListPage | undefined> {
  return db.first(newestSubmissions, { team, interfaces, ...chosen(filters), q: searchParams(filters).q, ...page });
}

/** Returns a submission with its effects and files. Throws 404. */
export async function getSubmission(
  { db, team }: Pick<ReadScope, 'db' | 'team'> | Pick<Scope, 'db' | 'team'>,
  { row: { id: form } }: AccessibleForm,
  submissionId: string,
): Promise<SubmissionView> {
  const one = { team, id: pathId(submissionId, 'submission') };
  const row = await db.first(queries.findSubmission, { ...one, interface: form });
  if (!row) throw notFound('submission');
  return present(row, await db.all(queries.effectsOf, one), await db.all(outputsOf, one), await db.all(queries.filesOf, one));
}

/** The members that effects and outputs share. */
const presentResult = ({ result_id: resultId, attempts, code, detail }: Omit<queries.EffectRow, 'kind' | 'status'>) => ({
  ...(resultId === null ? {} : { resultId }),
  attempts,
  ...(code === null ? {} : { code }),
  ...(detail === null ? {} : { detail }),
});

const present = (
  row: queries.SubmissionRow,
  effects: queries.EffectRow[],
  outputs: OutputRow[],
  files: queries.FileRow[],
): SubmissionView => ({
  id: row.id,
  interfaceId: row.interface_id,
  version: row.version,
  channel: row.channel,
  status: row.shelf,
  ...(row.locale === null ? {} : { locale: row.locale }),
  ...(row.task_id === null ? {} : { taskId: row.task_id }),
  ...(row.data === null ? {} : { data: row.data }),
  ...(row.records === null ? {} : { records: row.records }),
  ...(row.undeliverable === null ? {} : { undeliverable: row.undeliverable }),
  effects: effects.map((effect) => ({ kind: effect.kind, status: effect.status, ...presentResult(effect) })),
  ...(outputs.length === 0
    ? {}
    : { outputs: outputs.map((output) => ({ id: output.output_id, make: output.make, status: output.status, ...presentResult(output) })) }),
  files: files.map(({ media_type: mediaType, ...file }) => ({ ...file, mediaType })),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.erased_at === null ? {} : { erasedAt: row.erased_at }),
  ...(row.erased_for === null ? {} : { erasedFor: row.erased_for }),
});
