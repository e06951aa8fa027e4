import { type Static, Type } from 'typebox';
import type { ListSearch } from '../../../platform/database/list-filters.ts';
import { searchFilter } from '../../../platform/http/page.ts';
import { outputResult } from '../outputs/schemas.ts';
import { shelves } from './list-queries.ts';
import { time, undeliverable } from '../../../platform/schema-parts.ts';

export const submissionParams = Type.Object({ id: Type.String(), submissionId: Type.String() });

const status = Type.Enum([...shelves], {
  description:
    '`received`; `failed` if a follow-up action failed; `held` until the sender opens the emailed link; `spam` if a hidden trap field was filled in; `erased`',
});

export const submissionFilters = {
  status: Type.Optional(
    Type.Array(status, {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      description: 'One or more statuses; `received` and `failed` by default',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Only submissions at this time or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only submissions before this time' })),
};
/** The filters of lists. Exports have no search. */
export const listFilters = { ...submissionFilters, ...searchFilter('answers') };
export type SubmissionFilters = ListSearch & Partial<{ status: Static<typeof status>[]; from: string; to: string }>;

const members = {
  id: Type.String(),
  interfaceId: Type.String({ description: 'The interface of the submission' }),
  version: Type.Integer({ description: 'The submitted version of the form' }),
  channel: Type.Enum(['public', 'api'], { description: '`public` for the link of the form, `api` for the token of programs' }),
  status,
  locale: Type.Optional(Type.String({ description: 'The language of the visitor' })),
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by the ids of their fields; absent after an erasure' }),
  ),
  taskId: Type.Optional(Type.String({ description: 'The workflow task that it completed, through the link of the assignee' })),
  undeliverable: Type.Optional(undeliverable),
  createdAt: time,
  updatedAt: time,
  erasedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the erasure' })),
  erasedFor: Type.Optional(
    Type.Enum(['request', 'retention', 'deletion'], { description: 'By request, after the retention period, or with the form' }),
  ),
};

export const listedSubmission = Type.Object(members, { title: 'ListedSubmission' });

const effect = Type.Object(
  {
    kind: Type.Enum(['document', 'pdf', 'record', 'workflow', 'booking'], { description: 'The kind of the effect' }),
    status: Type.Enum(['waiting', 'done', 'failed']),
    resultId: Type.Optional(Type.String({ description: 'The created document, record, workflow or booking' })),
    attempts: Type.Integer({ description: 'The number of attempts' }),
    code: Type.Optional(Type.String({ description: 'The problem code of the failure' })),
    detail: Type.Optional(Type.String({ description: 'The reason of the failure, for people' })),
  },
  { title: 'SubmissionEffect' },
);

const traceStep = Type.Object(
  {
    id: Type.String({ description: 'The id of the step in its workflow' }),
    type: Type.String({ description: 'The kind of the step' }),
    name: Type.Optional(Type.String()),
    status: Type.String({ enum: ['pending', 'active', 'completed', 'rejected', 'skipped', 'failed'] }),
    outcome: Type.Optional(Type.String({ description: 'The outcome or the code of the failure' })),
    detail: Type.Optional(Type.String({ description: 'The reason of the failure, for people' })),
    requestId: Type.Optional(Type.String({ description: 'The signature request of the step' })),
  },
  { title: 'SubmissionTraceStep' },
);

const traceResult = Type.Object(
  {
    id: Type.String({ description: 'The created resource' }),
    registryId: Type.Optional(Type.String({ description: 'The registry of a record' })),
    title: Type.Optional(Type.String({ description: 'The title of the document or the name of the workflow' })),
    status: Type.Optional(Type.String({ description: 'The status of the document, workflow or record' })),
    steps: Type.Optional(Type.Array(traceStep, { maxItems: 200, description: 'The steps of the workflow' })),
  },
  { title: 'SubmissionTraceResult' },
);

const traceItem = Type.Object(
  {
    id: Type.String({ description: 'The id of the output, or the kind of the effect' }),
    make: Type.Enum(['document', 'pdf', 'record', 'workflow', 'booking'], { description: 'The kind of result' }),
    status: Type.Enum(['waiting', 'done', 'skipped', 'failed']),
    attempts: Type.Integer({ description: 'The number of attempts' }),
    nextAttemptAt: Type.Optional({ ...time, description: 'The time of the next attempt of a delayed output' }),
    waitsFor: Type.Optional(
      Type.Array(Type.String(), { maxItems: 10, description: 'The outputs that it needs and that have no result yet' }),
    ),
    code: Type.Optional(Type.String({ description: 'The problem code of the failure or delay' })),
    detail: Type.Optional(Type.String({ description: 'The reason of the failure or delay, for people' })),
    result: Type.Optional(traceResult),
    isHidden: Type.Optional(Type.Boolean({ description: 'True if there is a result that the caller cannot read' })),
  },
  { title: 'SubmissionTraceItem' },
);
export type TraceItem = Static<typeof traceItem>;
export type TraceResult = Static<typeof traceResult>;

export const trace = Type.Object(
  {
    id: Type.String({ description: 'The submission' }),
    status,
    items: Type.Array(traceItem, { maxItems: 20, description: 'The effects and outputs of the submission' }),
  },
  { title: 'SubmissionTrace' },
);
export type TraceView = Static<typeof trace>;

const file = Type.Object(
  {
    id: Type.String({ description: 'The identifier of the file in answers' }),
    name: Type.String(),
    mediaType: Type.String({ description: 'The media type, detected from the content' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String({ description: 'SHA-256 of its content, in hexadecimal' }),
  },
  { title: 'SubmissionFile' },
);

export const submission = Type.Object(
  {
    ...members,
    records: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Copies of the records in the answers, by their ids' }),
    ),
    effects: Type.Array(effect, { description: 'The effects of the submission' }),
    outputs: Type.Optional(Type.Array(outputResult, { description: 'The outputs of `config.then`, in their order' })),
    files: Type.Array(file, { description: 'The files of the submission' }),
  },
  { title: 'Submission' },
);
export type SubmissionView = Static<typeof submission>;
