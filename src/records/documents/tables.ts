import { type Tables, namedBy } from '../../platform/tables.ts';

export const documentTables: Tables = {
  document: {
    purge: 'erased',
    legalHold: true,
    content: 'deleted_at IS NULL',
    people: { ...namedBy(['user_id', 'created_by'], 'handed to the successor'), exported: true },
  },
  document_version: {
    purge: 'erased',
    legalHold: true,
    people: { ...namedBy(['created_by'], 'says who uploaded it'), exported: true },
    file: { key: 'storage_key', of: ['document_id', 'number'] },
  },
  document_comment: {
    purge: 'erased',
    legalHold: true,
    people: { ...namedBy(['user_id'], 'says who wrote it'), exported: true },
  },
  // The searchable words and the text of a document.
  document_text: { purge: 'erased', legalHold: true },
  document_passage: { purge: 'erased', legalHold: true },
  document_preview: { purge: 'erased', legalHold: true },
  document_preview_file: { purge: 'erased', legalHold: true, file: { key: 'storage_key', of: ['document_id', 'version'] } },
  document_dates: { purge: 'erased', legalHold: true, people: namedBy(['set_by'], 'says who answers for it') },
  document_date: { purge: 'erased', legalHold: true },
  retention_rule: { purge: 'erased', legalHold: true, people: namedBy(['set_by', 'confirmed_by'], 'says who answers for it') },
  retention_done: { purge: 'erased', legalHold: true },
  retention_day: { purge: 'erased', legalHold: false },
  legal_hold: {
    purge: 'erased',
    legalHold: true,
    holds: 'lifted_at IS NULL',
    content: 'lifted_at IS NULL',
    people: namedBy(['created_by', 'lifted_by'], 'says who answers for it'),
  },
};
