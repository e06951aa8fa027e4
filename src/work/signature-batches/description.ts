import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const batch = {
  id: desk.entry,
  title: 'Power of attorney',
  status: 'running',
  templateId: desk.documentTemplate,
  sourceVersion: 1,
  rows: 2,
  waiting: 2,
  done: 0,
  failed: 0,
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.tuesday,
};
const ended = { ...batch, status: 'done', waiting: 0, done: 1, failed: 1, endedAt: desk.tuesday };
const csv = `email,name,representative,matter\n${desk.olivia.email},Olivia Berg,Northwind Legal,Terms of supply\n${desk.marcus.email},Marcus Lind,Northwind Legal,Lease\n`;

export const description: DomainText = {
  operations: {
    requestSignaturesInBulk: {
      text: 'Requests signatures from up to 1 000 people, each on a separate document. The document is created from a template with the values of the row, or is a copy of a document. A copy accepts no `data` and stays in the barrier of the document. The first row of the CSV names the columns: `email`, `name`, and paths of template values, such as `party.name`. Cells are converted to the number, boolean or date of the schema. The file is read like that of `importRegistryRecords`, with the same options; empty columns and rows are skipped. All rows are checked first: errors give a 422 with each row, and nothing is stored. A job then sends each request once, also after a crash; `listSignatureBatchRows` shows the results. It uses the current rights of the requester. The batch ends when they leave the team, even if they return. An API client also needs `documents:read` and `documents:write`. A repetition without an `Idempotency-Key` requests all again.',
      records: ['signature_batch.created', 'signature_batch.ended'],
      problems: [
        'document_access_denied',
        'batch_rows_invalid',
        'batch_source_not_found',
        'batch_outside_barrier',
        'locale_not_supported',
        'parent_not_found',
        'document_limit_exceeded',
        'document_queue_full',
        'conflict',
      ],
      body: { title: batch.title, templateId: desk.documentTemplate, data: { grantor: 'Acme Robotics GmbH' }, csv },
      answer: batch,
    },
    listSignatureBatches: {
      text: 'Lists the caller’s own signature batches. Administrators and unconfined API clients see all of the team. Batches behind a barrier are omitted.',
      answer: [batch],
    },
    getSignatureBatch: {
      text: 'Shows the numbers of requested, failed and waiting rows. Allowed are its owner, administrators and unconfined API clients. A barrier around its document, its folder or one of its copies hides it.',
      answer: ended,
    },
    listSignatureBatchRows: {
      text: 'Lists each row in the order of the file, with its document and request, or the reason of its failure.',
      answer: [
        {
          number: 1,
          email: desk.olivia.email,
          name: 'Olivia Berg',
          status: 'done',
          documentId: desk.document,
          requestId: desk.signatureTask,
        },
        {
          number: 2,
          email: desk.marcus.email,
          name: 'Marcus Lind',
          status: 'failed',
          code: 'quota_exceeded',
          detail: 'The team has reached its document limit.',
        },
      ],
    },
    cancelSignatureBatch: {
      text: 'Cancels the waiting rows of a batch. Requests already sent continue; void them one by one. An ended batch returns 409.',
      records: ['signature_batch.cancelled'],
      problems: ['batch_ended'],
      answer: { ...batch, status: 'cancelled', waiting: 0, endedAt: desk.tuesday },
    },
  },
};
