import { type Static, Type } from 'typebox';

const time = (description?: string) => Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) });

export const delegation = Type.Object(
  {
    userId: Type.String({ description: 'Who is away' }),
    toUserId: Type.String({ description: 'Who stands in' }),
    from: time('When it begins'),
    until: time('When it ends by itself'),
    kinds: Type.Optional(Type.Array(Type.String(), { description: 'The types of task that it is of; all without it' })),
    openTasks: Type.Boolean({ description: 'What is open when it begins goes along' }),
    givenBy: Type.String({ description: 'Who said so: the person, or an administrator' }),
    createdAt: time(),
    updatedAt: time(),
  },
  { title: 'TaskDelegation' },
);
export type Delegation = Static<typeof delegation>;

export const delegationBody = Type.Object({
  toUserId: Type.String({ maxLength: 64, description: 'Who stands in' }),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Now without it, and at most a year ahead' })),
  until: Type.String({ format: 'date-time', description: 'At most 90 days after it begins' }),
  kinds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Types of task',
    }),
  ),
  openTasks: Type.Optional(Type.Boolean({ description: 'Whether what is open when it begins goes along; it does not without it' })),
});
export type DelegationBody = Static<typeof delegationBody>;
export const userParams = Type.Object({ userId: Type.String({ description: 'A member, or `me`' }) });
