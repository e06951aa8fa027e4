import { type Static, Type } from 'typebox';
import { actions, bases } from './retention-schedule.ts';

const action = Type.Enum([...actions], {
  description:
    '`delete` moves documents to the bin, `review` gives their owner a task, and `keep` does nothing but hold back shorter rules',
});
const after = Type.String({
  pattern: '^P(?=\\d)(\\d{1,3}Y)?(\\d{1,4}M)?(\\d{1,4}W)?(\\d{1,5}D)?$',
  maxLength: 22,
  description: 'For how long, in whole days, weeks, months or years, such as `P10Y`',
});
const from = Type.Enum([...bases], {
  description: 'From when: `created`, `updated`, or `expires`, the key date of that name, which covers those that have one',
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
      description: 'From when on it acts; what a new or shorter rule covers is safe until then',
    }),
    waitingDocuments: Type.Optional(
      Type.Integer({ description: 'So many would go at once that an administrator has to confirm it; until then none goes' }),
    ),
    confirmedBy: Type.Optional(Type.String({ description: 'Who has confirmed that many go at once, the last time' })),
    setBy: Type.String({ description: 'Who has set it last' }),
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
    title: Type.String({ description: 'The document’s' }),
    folderId: Type.String({ description: 'The folder that it lies in' }),
    action,
    on: Type.Optional(
      Type.String({ format: 'date', description: 'The day from which that is done, in the zone of the team; never without it' }),
    ),
    ruleFolderId: Type.String({ description: 'The folder whose rule is the longest' }),
  },
  { title: 'RetentionFate' },
);
export type DispositionView = Static<typeof dispositionView>;
