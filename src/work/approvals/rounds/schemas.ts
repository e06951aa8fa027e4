import { type Static, Type } from 'typebox';
import { closed, time } from '../../../platform/schema-parts.ts';
import { exclusions } from '../rules.ts';
import { roundSorts } from './queries.ts';

const statuses = ['open', 'approved', 'rejected', 'voided', 'expired'] as const;
const subjects = ['step', 'tool_call'] as const;
const sha256 = (description: string) => Type.String({ description: `SHA-256 of ${description}, in hexadecimal` });

const candidate = Type.Object(
  {
    userId: Type.String({ description: 'The candidate' }),
    needs: Type.Array(Type.Integer({ minimum: 0 }), { description: 'The members of `need`, from 0, whose places the candidate can fill' }),
    taskId: Type.String({ description: 'The task with which the candidate, or a delegate, votes' }),
  },
  { ...closed, title: 'ApprovalCandidate' },
);
const vote = Type.Object(
  {
    userId: Type.String({ description: 'The candidate' }),
    taskId: Type.String({ description: 'The task of the vote' }),
    outcome: Type.String({ description: 'The outcome of the task' }),
    votedBy: Type.String({ description: 'The person who voted' }),
    onBehalfOf: Type.Optional(Type.String({ description: 'The candidate, if a delegate voted' })),
    votedAt: Type.String({ format: 'date-time', description: 'The time of the vote' }),
  },
  { ...closed, title: 'ApprovalVote' },
);
const document = (description: string) =>
  Type.Object(
    {
      id: Type.String(),
      version: Type.Optional(Type.Integer({ description: 'The number of the version' })),
      sha256: Type.Optional(sha256('its file')),
    },
    { ...closed, description },
  );

export const round = Type.Object(
  {
    id: Type.String(),
    subject: Type.Object(
      {
        type: Type.Enum([...subjects], { description: 'The kind of the subject' }),
        workflowId: Type.Optional(Type.String({ description: 'The workflow of the step' })),
        stepId: Type.Optional(Type.String({ description: 'The step' })),
      },
      { ...closed, description: 'The step or tool call that the round decides on' },
    ),
    status: Type.Enum([...statuses]),
    outcome: Type.Optional(Type.String({ description: '`approved`, or the outcome of the first rejection' })),
    reason: Type.Optional(Type.String({ description: 'Why the round was voided' })),
    policy: Type.Object(
      {
        name: Type.Optional(Type.String({ description: 'The policy; absent for rules of a step' })),
        version: Type.Optional(Type.Integer({ description: 'The version of the policy' })),
        sha256: sha256('the rules that the round copied'),
      },
      { ...closed, description: 'The origin of the rules' },
    ),
    rule: Type.String({ description: 'The rule that applies' }),
    inputDigest: Type.Optional(sha256('a stored salt and the answers that chose the rule')),
    document: Type.Optional(document('The first of `documents`')),
    documents: Type.Array(document('A document'), { description: 'The versions of the documents that the round is about' }),
    argsSha256: Type.Optional(sha256('the arguments of the tool call')),
    need: Type.Array(
      Type.Object(
        {
          count: Type.Integer({ description: 'The number of places' }),
          from: Type.Array(Type.String(), { description: 'The sources of candidates, as in the rules' }),
        },
        closed,
      ),
      {
        description: 'The places. Each person fills one place',
      },
    ),
    exclude: Type.Array(Type.Enum([...exclusions]), { description: 'The persons who cannot be candidates' }),
    onRejection: Type.Enum(['first', 'quorum'], { description: 'Whether the first rejection ends the round, or only a decisive one' }),
    candidates: Type.Array(candidate, { description: 'At most 50 people' }),
    votes: Type.Array(vote, { description: 'The votes, oldest first' }),
    supersedes: Type.Optional(Type.String({ description: 'The previous round about the same subject' })),
    expiresAt: Type.Optional(time),
    createdAt: time,
    updatedAt: time,
    endedAt: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the decision or the end' })),
  },
  { ...closed, title: 'ApprovalRound' },
);
export type Round = Static<typeof round>;

export const filters = {
  status: Type.Optional(Type.Array(Type.Enum([...statuses]), { description: 'Only rounds with one of these states' })),
  subject: Type.Optional(Type.Enum([...subjects], { description: 'Only rounds about steps, or about tool calls' })),
  workflowId: Type.Optional(Type.String({ maxLength: 64, description: 'Only rounds of this workflow' })),
};
export type RoundFilters = Partial<Static<ReturnType<typeof Type.Object<typeof filters>>>>;
export const sort = Type.Optional(Type.Enum([...roundSorts], { description: 'By age by default; `-` reverses the order' }));

export const replaceBody = Type.Object(
  {
    userId: Type.String({ format: 'uuid', description: 'The candidate' }),
    by: Type.String({ format: 'uuid', description: 'The member who votes instead' }),
    reason: Type.String({ minLength: 1, maxLength: 2_000, description: 'The reason, for the journal' }),
  },
  { ...closed, title: 'ReplaceApprovalCandidate' },
);
export type ReplaceCandidate = Static<typeof replaceBody>;
