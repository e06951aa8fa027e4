import type { BatchFacts, Counts, RowFacts } from './queries.ts';
import type { Batch, BatchRow } from './schemas.ts';

export const presentBatch = (row: BatchFacts & Counts): Batch => ({
  id: row.id,
  title: row.title,
  status: row.status,
  ...(row.template_id === null ? {} : { templateId: row.template_id }),
  ...(row.document_id === null ? {} : { documentId: row.document_id }),
  sourceVersion: row.source_version,
  rows: row.rows,
  waiting: row.waiting,
  done: row.done,
  failed: row.failed,
  createdBy: row.created_by,
  createdByType: row.created_by_type,
  createdAt: row.created_at,
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
});

export const presentRow = (row: RowFacts): BatchRow => ({
  number: row.number,
  email: row.email,
  name: row.name,
  status: row.status,
  ...(row.document_id === null ? {} : { documentId: row.document_id }),
  ...(row.request_id === null ? {} : { requestId: row.request_id }),
  ...(row.code === null ? {} : { code: row.code }),
  ...(row.detail === null ? {} : { detail: row.detail }),
});
