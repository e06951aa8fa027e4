import { type Condition, type Mapping, type ValueSource } from '#fields';
import { type Static, Type } from 'typebox';

export const outputKinds = ['document', 'workflow', 'record'] as const;
export const maxOutputs = 10;

const open = { additionalProperties: true };
const source = (description: string) => Type.Unsafe<ValueSource>(Type.Object({}, { ...open, description }));
const mapping = (description: string) =>
  Type.Unsafe<Mapping>(
    Type.Record(Type.String({ maxLength: 600 }), Type.Object({}, open), { maxProperties: 500, additionalProperties: false, description }),
  );

/** The name of an output. A workflow names its documents by it. */
const outputId = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,49}$' });

/** An output of a submission: a document or a workflow from a template, or a record of a registry, filled in with answers. */
export const output = Type.Object(
  {
    id: outputId,
    make: Type.Enum([...outputKinds], { description: 'The kind of result' }),
    when: Type.Optional(
      Type.Unsafe<Condition>(Type.Object({}, { ...open, description: 'The condition on the answers; without it, always' })),
    ),
    needs: Type.Optional(
      Type.Array(outputId, { maxItems: maxOutputs, uniqueItems: true, description: 'Earlier outputs that must be made first' }),
    ),
    templateId: Type.Optional(Type.String({ format: 'uuid', description: 'The document template' })),
    title: Type.Optional(source('The source of the title of the document, or of the name of the workflow')),
    values: Type.Optional(mapping('The source of each value of the document template, by its path, such as `party.name`')),
    template: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The workflow template' })),
    documents: Type.Optional(
      Type.Array(outputId, {
        maxItems: maxOutputs,
        uniqueItems: true,
        description: 'Earlier outputs that are documents of the workflow, under their ids',
      }),
    ),
    parameters: Type.Optional(mapping('The source of each parameter of the workflow template')),
    registryId: Type.Optional(Type.String({ format: 'uuid', description: 'The registry of the record' })),
    fields: Type.Optional(mapping('The source of each field of the record, by its id')),
    pending: Type.Optional(Type.Boolean({ description: 'Whether the record waits for approval' })),
  },
  { title: 'FormOutput' },
);
export type Output = Static<typeof output>;

export const outputs = Type.Array(output, {
  maxItems: maxOutputs,
  description: 'Documents, workflows and records to create after each submission, in this order, with values from the answers',
});

/** The result of an output of one submission. */
export const outputResult = Type.Object(
  {
    id: Type.String({ description: 'The id of the output' }),
    make: Type.Enum([...outputKinds], { description: 'The kind of result' }),
    status: Type.Enum(['waiting', 'done', 'skipped', 'failed'], {
      description: '`waiting` also for an output that needs a failed one; `skipped` if its condition did not hold',
    }),
    resultId: Type.Optional(Type.String({ description: 'The created document, workflow or record' })),
    attempts: Type.Integer({ description: 'The number of attempts' }),
    code: Type.Optional(Type.String({ description: 'The problem code of the failure' })),
    detail: Type.Optional(Type.String({ description: 'The reason of the failure, for people' })),
  },
  { title: 'SubmissionOutput' },
);

export const trialBody = Type.Object({
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Answers by the ids of their fields; without them, only the draft is checked',
    }),
  ),
});

const trialProblem = Type.Object(
  {
    pointer: Type.String({ description: 'The position in the definition' }),
    reason: Type.String(),
    rule: Type.String({ description: 'The broken rule' }),
    severity: Type.Enum(['error', 'warning'], {
      description: '`error` prevents publication or the output; `warning`: some answers can be invalid',
    }),
    example: Type.Optional(Type.String({ description: 'The JSON of a value that the output cannot use' })),
  },
  { title: 'FormOutputProblem' },
);
export type TrialProblem = Static<typeof trialProblem>;

const outputTrial = Type.Object(
  {
    id: Type.String({ description: 'The id of the output' }),
    make: Type.Enum([...outputKinds], { description: 'The kind of result' }),
    ok: Type.Boolean({ description: 'Whether there is no error' }),
    isSkipped: Type.Optional(Type.Boolean({ description: 'True if its condition does not hold for the answers' })),
    problems: Type.Array(trialProblem, { description: 'Errors and warnings' }),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The values for these answers; absent without answers or with errors of the draft',
      }),
    ),
  },
  { title: 'FormOutputCheck' },
);
export type OutputTrial = Static<typeof outputTrial>;
export const trial = Type.Object({ outputs: Type.Array(outputTrial, { maxItems: maxOutputs, description: 'The outputs in their order' }) });
