import { type TProperties, type TSchema, Type } from 'typebox';
import { ruleMembers } from '#approvals';
import { takesOutcomes } from '#tasks';
import { type Making, makingOf } from './making.ts';
import { onMissingValues } from './conditions.ts';

const id = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';
const uuid = (description: string) => Type.String({ format: 'uuid', description });
const days = (description: string, maximum: number, minimum = 1) => Type.Integer({ minimum, maximum, description });
const closed = (members: TProperties, description: string) => Type.Object(members, { additionalProperties: false, description });

const named = {
  document: Type.Optional(
    Type.String({ minLength: 1, maxLength: 50, description: 'The name of a document of the workflow. Default: its first document' }),
  ),
};

/** The schema of the members that a step of any type accepts. Conditions can be nested, so `condition-check.ts` checks them. */
const ofEvery = {
  when: Type.Optional(
    Type.Unsafe<object>(
      Type.Object({}, { additionalProperties: true, title: 'StepCondition', description: 'The step begins only if the condition holds' }),
    ),
  ),
  onMissing: Type.Optional(
    Type.Enum([...onMissingValues], {
      description: 'The effect of a missing answer that decides `when`. The default is `fail` for decisions and `skip` for other steps',
    }),
  ),
};

const escalate = Type.Array(
  closed(
    {
      afterDays: Type.Optional(days('Days after the task is due', 365)),
      afterWorkingDays: Type.Optional(days('Working days after the task is due', 365)),
      to: Type.String({
        pattern: `^(?:role:(?:owner|admin)|${id})$`,
        description: '`role:owner`, `role:admin` or the id of a member',
      }),
      reassign: Type.Optional(Type.Boolean({ description: 'Whether the task is reassigned to that person' })),
    },
    'A level with one of `afterDays` and `afterWorkingDays`',
  ),
  { minItems: 1, maxItems: 2, description: 'The people to notify of a task that stays overdue' },
);

const ofTasks = {
  ...ofEvery,
  ...named,
  dueInWorkingDays: Type.Optional(days('Working days from the start of the step until the task is due; excludes `dueInDays`', 500, 0)),
  escalate: Type.Optional(escalate),
  onNewVersion: Type.Optional(
    Type.Enum(['restart', 'refuse', 'ignore'], { description: 'The effect of a new version of the document on the step' }),
  ),
};

const outcomes = Type.Array(
  Type.String({
    pattern: String.raw`^[\p{L}\p{N}](?:[\p{L}\p{N} _.-]{0,98}[\p{L}\p{N}])?$`,
    description: 'Letters, digits, spaces, `_`, `.` and `-`',
  }),
  { minItems: 1, maxItems: 20, uniqueItems: true, description: 'The possible outcomes of the step' },
);
const ofAutomatedSteps = {
  outcomes: Type.Optional(outcomes),
  timeoutHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720, description: 'Hours until the step fails. Default: 168' })),
};

const ofDecisions = {
  ...ofTasks,
  onReject: Type.Optional(Type.String({ maxLength: 100, description: 'The earlier step that restarts after a rejection' })),
};

const locale = (description: string) => Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', description });

const documentNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: 20, uniqueItems: true, description }));

const ofRounds = {
  ...ofDecisions,
  documents: documentNames(
    'The names of the documents that an approval round is about. Needs `approval`. Excludes `document`. Default: all of the workflow so far',
  ),
  approval: Type.Optional(
    closed(
      {
        policy: Type.Optional(Type.String({ maxLength: 64, description: 'The name of an approval policy; excludes the other members' })),
        ...ruleMembers,
        rules: Type.Optional(ruleMembers.rules),
      },
      'An approval policy, or the rules of an approval round. Excludes `assignees` and `groups`',
    ),
  ),
};

const signer = closed(
  {
    email: Type.String({ maxLength: 254, pattern: '@', description: 'an email address' }),
    name: Type.String({ minLength: 1, maxLength: 255 }),
    order: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'The signers with the lowest number sign first' })),
    role: Type.Optional(Type.Enum(['signer', 'approver', 'copy'])),
    signsAs: Type.Optional(
      Type.Union(
        [
          Type.String({ pattern: String.raw`^[\w-]{1,64}$`, description: 'A signer of the templates of the documents' }),
          Type.Array(Type.String({ pattern: String.raw`^[\w-]{0,64}$` }), {
            minItems: 1,
            maxItems: 20,
            description: 'A signer for each document of the step, in their order; an empty text for none',
          }),
        ],
        { description: 'The names of this signer in the document templates' },
      ),
    ),
    locale: Type.Optional(locale('The language of this signer')),
  },
  'A signer, by email address',
);

const period = (maximum: number) => Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum }));

/** The members of `config` by the type of the step. */
const members = {
  review: ofRounds,
  approval: ofRounds,
  signature: {
    ...ofDecisions,
    signers: Type.Optional(Type.Array(signer, { minItems: 1, maxItems: 20, description: 'The signers' })),
    request: Type.Optional(Type.Boolean({ description: 'Whether the assignees get a signature request' })),
    inTurn: Type.Optional(Type.Boolean({ description: 'Whether they sign one after another' })),
    message: Type.Optional(Type.String({ maxLength: 2_000, description: 'A message to the signers' })),
    requireCode: Type.Optional(Type.Boolean({ description: 'Whether signers confirm a mailed code' })),
    expiresInDays: Type.Optional(days('Days until the request expires', 365)),
    documents: documentNames(
      'The names of the documents of the workflow to sign, all in one request, without those that a condition omitted. Excludes `document`',
    ),
    locale: Type.Optional(locale('The language of the emails, the page and the consent; a signer can have another')),
  },
  form: { ...ofTasks, interfaceId: Type.Optional(uuid('The form to submit')) },
  acknowledgement: ofTasks,
  agent: {
    ...ofEvery,
    agentId: Type.String({
      pattern: `^(?:main|${id})$`,
      description: 'The id of an agent, or `main`',
    }),
    message: Type.String({ minLength: 1, pattern: '^[^\\u0000]*$', description: 'The instructions for the agent' }),
    ...named,
    ...ofAutomatedSteps,
  },
  webhook: {
    ...ofEvery,
    waitForAnswer: Type.Optional(Type.Boolean({ description: 'Whether the step waits for the answer of one endpoint' })),
    endpointId: Type.Optional(uuid('The endpoint that answers, with `waitForAnswer`')),
    ...named,
    ...ofAutomatedSteps,
  },
  notification: ofEvery,
  wait: {
    ...ofEvery,
    minutes: period(5_256_000),
    hours: period(87_600),
    days: period(3_650),
    until: Type.Optional(
      Type.String({
        pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$`,
        description: 'A time with a zone in the years 1970 to 9999, such as 2026-12-31T17:00:00Z',
      }),
    ),
  },
} satisfies Record<string, TProperties>;

const close = (properties: TProperties, description: string): TSchema =>
  Type.Object(properties, { additionalProperties: false, patternProperties: { '^x-': {} }, description });

/** The schema of steps of another type. Such a step is a task whose outcomes the step defines. */
const ofOther = close(
  { ...ofTasks, outcomes: Type.Optional(outcomes) },
  'The settings of a task, and of a step of a type that is not listed',
);
/** The schema of steps whose tasks the service creates itself. Their outcomes are fixed. */
const ofFixed = close(ofTasks, 'The settings of a task with fixed outcomes');

/**
 * The schema of `config` by the type of the step. The service checks steps by it and publishes it as JSON Schema. Clients may add members with the
 * prefix `x-`.
 */
export const configSchemas: Readonly<Record<string, TSchema>> = Object.fromEntries([
  ...Object.entries(members).map(([type, properties]) => [type, close(properties, `The settings of a step of type ${type}`)] as const),
  ['task', ofOther] as const,
]);

const source = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const mapping = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: 500,
    description: `${description}: a source by path, such as \`{"from": "intake/name"}\``,
  });

/** The members of steps that make a document or a record. */
const making: Readonly<Record<Making, TSchema>> = {
  document: close(
    {
      ...ofEvery,
      templateId: uuid('The document template'),
      values: mapping('The values of the template'),
      title: Type.Optional(source('The source of the title. Default: the name of the template')),
      name: Type.Optional(
        Type.String({ maxLength: 50, description: 'The name of the document in the workflow. Default: the id of the step' }),
      ),
      folderId: Type.Optional(uuid('The folder of the document')),
      timeoutHours: ofAutomatedSteps.timeoutHours,
    },
    'The settings of a step that makes a document from a template',
  ),
  record: close(
    {
      ...ofEvery,
      registryId: uuid('The registry'),
      fields: mapping('The values of the record'),
      pending: Type.Optional(Type.Boolean({ description: 'Whether a new record waits for approval' })),
      update: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'A unique field. The step changes the record with the same value, if one exists',
        }),
      ),
      timeoutHours: ofAutomatedSteps.timeoutHours,
    },
    'The settings of a step that creates or changes a record',
  ),
};

/** The schema of a step of a making type in the published definition: either of both kinds. */
const published = (kind: Making) => Type.Union([making[kind], ofOther]);

/**
 * The schema of the `config` of a step of any type. Without a `config`, it is the schema that the API publishes for the
 * type.
 */
export function configSchemaOf(type: string, config?: Readonly<Record<string, unknown>>): TSchema {
  if (type === 'document' || type === 'record') {
    if (config === undefined) return published(type);
    return makingOf({ type, config }) === undefined ? ofOther : making[type];
  }
  if (Object.hasOwn(configSchemas, type)) return configSchemas[type] ?? ofOther;
  return takesOutcomes(type) ? ofOther : ofFixed;
}
