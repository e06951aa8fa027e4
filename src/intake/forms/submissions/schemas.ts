import { type Static, Type } from 'typebox';
import { shelves } from './list-queries.ts';
import { time } from '../../../platform/schema-parts.ts';

export const submissionParams = Type.Object({ id: Type.String(), submissionId: Type.String() });

const status = Type.Enum([...shelves], {
  description:
    '`received`; `failed` if an effect failed; `held` until the sender opens the emailed link; `spam` if a hidden trap field was filled in; `erased`',
});

export const submissionFilters = {
  status: Type.Optional(
    Type.Array(status, {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      description: 'Those that have one of these; `received` and `failed` without it',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Submitted at this time or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Submitted before this time' })),
};
export type SubmissionFilters = Partial<{ status: Static<typeof status>[]; from: string; to: string }>;

const members = {
  id: Type.String(),
  interfaceId: Type.String({ description: 'The interface of the submission' }),
  version: Type.Integer({ description: 'The version of the form that was answered' }),
  channel: Type.Enum(['public', 'api'], { description: 'The link of the form, or the token for programs' }),
  status,
  locale: Type.Optional(Type.String({ description: 'The language in which it was answered' })),
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by the ids of their fields; absent once they are erased' }),
  ),
  taskId: Type.Optional(Type.String({ description: 'The task of a workflow that it has done, by the link of its assignee' })),
  createdAt: time,
  updatedAt: time,
  erasedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When the answers were erased' })),
  erasedFor: Type.Optional(
    Type.Enum(['request', 'retention', 'deletion'], { description: 'By request, because their time was over, or with the form' }),
  ),
};

export const listedSubmission = Type.Object(members, { title: 'ListedSubmission' });

const effect = Type.Object(
  {
    kind: Type.Enum(['document', 'pdf', 'record', 'workflow', 'booking'], { description: 'The kind of the effect' }),
    status: Type.Enum(['waiting', 'done', 'failed']),
    resultId: Type.Optional(Type.String({ description: 'The document, record, workflow or booking that was made' })),
    attempts: Type.Integer({ description: 'How often it was tried' }),
    code: Type.Optional(Type.String({ description: 'The problem that it was refused with' })),
    detail: Type.Optional(Type.String({ description: 'The same, for people' })),
  },
  { title: 'SubmissionEffect' },
);

const file = Type.Object(
  {
    id: Type.String({ description: 'What answers name it by' }),
    name: Type.String(),
    mediaType: Type.String({ description: 'What its bytes say that it is' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String({ description: 'Of its bytes, in hexadecimal' }),
  },
  { title: 'SubmissionFile' },
);

export const submission = Type.Object(
  {
    ...members,
    records: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Copies of the records that the answers name, by the ids of the records' }),
    ),
    effects: Type.Array(effect, { description: 'What follows from it' }),
    files: Type.Array(file, { description: 'The files that came with it' }),
  },
  { title: 'Submission' },
);
export type SubmissionView = Static<typeof submission>;
