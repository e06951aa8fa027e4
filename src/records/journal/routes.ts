import { Type } from 'typebox';
import { recordAudit } from '../../platform/journal/record.ts';
import { longAnswer } from '../../platform/http/streamed-responses.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { type WitnessKeys, tlogRoutes } from './tree/index.ts';
import {
  describeCheckpoint,
  proveConsistency,
  proveEntry,
  checkpointAnswer,
  consistencyAnswer,
  consistencyQuery,
  exportQuery,
  proofAnswer,
  exportJournal,
} from './evidence/index.ts';
import { journalExported } from './events.ts';
import { journal, journalQuery } from './schemas.ts';
import { readJournalPage } from './service.ts';

const path = '/api/v1/security/audit';
const tags = ['Audit'];
const read = { access: { kind: 'user', scope: 'audit:read' } } as const;

/** `keys` verify the checkpoints. */
export type AuditDependencies = { keys: WitnessKeys };

export function auditRoutes(app: App, { keys }: AuditDependencies): void {
  app.get(
    path,
    {
      config: read,
      schema: {
        operationId: 'listAuditJournal',
        summary: 'List journal entries',
        tags,
        querystring: journalQuery,
        response: { 200: journal },
      },
    },
    (request) => readJournalPage(reading(request), request.query),
  );

  app.get(
    `${path}/checkpoint`,
    {
      config: read,
      schema: {
        operationId: 'getAuditCheckpoint',
        summary: 'Read the signed checkpoint of the journal’s tree',
        tags,
        response: { 200: checkpointAnswer },
      },
    },
    (request) => describeCheckpoint(reading(request), keys),
  );

  app.get(
    `${path}/consistency`,
    {
      config: read,
      schema: {
        operationId: 'getAuditConsistencyProof',
        summary: 'Prove the consistency of two tree sizes',
        tags,
        querystring: consistencyQuery,
        response: { 200: consistencyAnswer },
      },
    },
    (request) => proveConsistency(reading(request), request.query),
  );

  app.get(
    `${path}/export`,
    {
      config: { access: { ...read.access, exports: true } },
      schema: {
        operationId: 'exportAuditJournal',
        summary: 'Export the journal with proofs',
        tags,
        produces: ['application/x-ndjson'],
        querystring: exportQuery,
      },
    },
    async (request, reply) => {
      const { after } = request.query;
      const scope = reading(request);
      const lines = await exportJournal(scope, { keys, after, now: scope.now });
      await writing(request, (writingScope) => recordAudit(writingScope, journalExported, undefined, { after }));
      return reply
        .headers({
          'content-type': 'application/x-ndjson; charset=utf-8',
          'content-disposition': 'attachment; filename="audit-export.ndjson"',
        })
        .send(longAnswer(request, lines));
    },
  );

  app.get(
    `${path}/:id/proof`,
    {
      config: read,
      schema: {
        operationId: 'getAuditInclusionProof',
        summary: 'Prove the inclusion of a journal entry',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: proofAnswer },
      },
    },
    (request) => proveEntry(reading(request), request.params.id),
  );

  tlogRoutes(app);
}
