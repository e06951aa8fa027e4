import { type Static, Type } from 'typebox';

const time = (description?: string) => Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) });

export const delegation = Type.Object(
  {
    userId: Type.String({ description: 'The absent member' }),
    toUserId: Type.String({ description: 'The delegate' }),
    from: time('Start of the delegation'),
    until: time('End of the delegation'),
    kinds: Type.Optional(Type.Array(Type.String(), { description: 'Types of task that go to the delegate. Default: all' })),
    openTasks: Type.Boolean({ description: 'Whether tasks that are open at the start go to the delegate' }),
    givenBy: Type.String({ description: 'The user who set it: the absent member, the owner or an administrator' }),
    createdAt: time(),
    updatedAt: time(),
  },
  { title: 'TaskDelegation' },
);
export type Delegation = Static<typeof delegation>;

export const delegationBody = Type.Object({
  toUserId: Type.String({ maxLength: 64, description: 'The delegate' }),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Start, at most 365 days ahead. Default: now' })),
  until: Type.String({ format: 'date-time', description: 'End, at most 90 days after the start' }),
  kinds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Types of task that go to the delegate. Default: all',
    }),
  ),
  openTasks: Type.Optional(Type.Boolean({ description: 'Whether tasks that are open at the start go to the delegate. Default: false' })),
});
export type DelegationBody = Static<typeof delegationBody>;
export const userParams = Type.Object({ userId: Type.String({ description: 'A member, or `me`' }) });
