import { type Static, Type } from 'typebox';
import { actions, bases } from './retention-schedule.ts';

const action = Type.Enum([...actions], {
  description: '`delete` moves documents to the bin, `review` creates a task for their owner, and `keep` only suspends shorter rules',
});
const after = Type.String({
  pattern: '^P(?=\\d)(\\d{1,3}Y)?(\\d{1,4}M)?(\\d{1,4}W)?(\\d{1,5}D)?$',
  maxLength: 22,
  description: 'The retention period, in whole days, weeks, months or years, such as `P10Y`',
});
const from = Type.Enum([...bases], {
  description: 'The start of the period: `created`, `updated` or `expires`. `expires` covers only documents with that key date',
});

export const ruleBody = Type.Object({ action, after, from }, { title: 'RetentionRuleRequest' });
export type RuleBody = Static<typeof ruleBody>;

export const rule = Type.Object(
  {
    folderId: Type.String(),
    action,
    after,
    from,
    effectiveFrom: Type.String({
      format: 'date-time',
      description: 'When the rule starts to apply; until then it deletes nothing',
    }),
    waitingDocuments: Type.Optional(Type.Integer({ description: 'The number of documents that wait until an administrator confirms' })),
    confirmedBy: Type.Optional(Type.String({ description: 'The user who last confirmed a large deletion' })),
    setBy: Type.String({ description: 'The user who set the rule last' }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'RetentionRule' },
);
export type ShownRule = Static<typeof rule>;

export const previewQuery = {
  action: Type.Optional(action),
  after: Type.Optional(after),
  from: Type.Optional(from),
};
export type Preview = { action?: RuleBody['action'] | undefined; after?: string | undefined; from?: RuleBody['from'] | undefined };

export const dispositionView = Type.Object(
  {
    documentId: Type.String(),
    title: Type.String({ description: 'The title of the document' }),
    folderId: Type.String({ description: 'The folder of the document' }),
    action,
    on: Type.Optional(
      Type.String({ format: 'date', description: 'The day of the action, in the time zone of the team; absent if it never happens' }),
    ),
    ruleFolderId: Type.String({ description: 'The folder of the longest rule' }),
  },
  { title: 'RetentionFate' },
);
export type DispositionView = Static<typeof dispositionView>;
