import { type Static, Type } from 'typebox';
import { searchFilter, idsFilter } from '../../platform/http/page.ts';
import { actorTypes } from '../../platform/scope.ts';
import { sorts } from '../../platform/database/sorted-page.ts';
import { asRead, time, text } from '../../platform/schema-parts.ts';

export const workflowStatus = Type.Enum(['draft', 'active', 'paused', 'completed', 'rejected', 'cancelled']);
const open = { additionalProperties: true } as const;

export const step = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    assignees: Type.Optional(Type.Array(Type.String())),
    groups: Type.Optional(
      Type.Array(Type.String(), { description: 'With the mode `all`, the members at the start are among `assignees` afterwards' }),
    ),
    mode: Type.String({ enum: ['any', 'all'] }),
    dependsOn: Type.Array(Type.String()),
    dueInDays: Type.Optional(Type.Integer()),
    config: Type.Optional(Type.Object({}, open)),
    status: Type.String({ enum: ['pending', 'active', 'completed', 'rejected', 'skipped', 'failed'] }),
    startedAt: Type.Optional(time),
    completedAt: Type.Optional(time),
    outcome: Type.Optional(Type.String()),
    detail: Type.Optional(Type.String({ description: 'The reason of the failure, for people' })),
    requestId: Type.Optional(Type.String({ description: 'The signature request that the step waits for, or that ended it' })),
    taskIds: Type.Array(Type.String()),
  },
  { title: 'WorkflowStep' },
);

/** A document of a workflow and its name. */
export const namedDocument = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,49}$', description: 'Steps name the document by it, in `config.document`' }),
    documentId: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { title: 'WorkflowDocument', additionalProperties: false },
);
export type NamedDocument = Static<typeof namedDocument>;

export const workflow = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    status: Type.String({ enum: ['draft', 'active', 'paused', 'completed', 'rejected', 'cancelled'] }),
    documentId: Type.String(),
    documentLinked: Type.Boolean(),
    documents: Type.Array(namedDocument, { description: 'The documents by the names that steps use. The first is `documentId`' }),
    assignedTo: Type.Optional(Type.String()),
    matterId: Type.Optional(Type.String({ description: 'The matter that it is in' })),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    templateVersion: Type.Optional(Type.Integer({ description: 'The version of the team template that it was created from' })),
    dueDate: Type.Optional(time),
    reason: Type.Optional(Type.String()),
    startedAt: Type.Optional(time),
    pausedAt: Type.Optional(time),
    completedAt: Type.Optional(time),
    createdAt: time,
    updatedAt: time,
    steps: Type.Array(step),
  },
  { title: 'Workflow' },
);
export type Workflow = Static<typeof workflow>;

/** A step in a request. If no step has `dependsOn`, the steps run in the given order. */
export const stepInput = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    type: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.Optional(text(255)),
    description: Type.Optional(text(4_000)),
    assignedTo: Type.Optional(text(64)),
    assignees: Type.Optional(Type.Array(text(64), { maxItems: 50 })),
    groups: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: 10,
        description: 'Groups: one task for each, which a member claims (`any`), or one for each member at the start of the step (`all`)',
      }),
    ),
    mode: Type.Optional(Type.Enum(['any', 'all'])),
    dependsOn: Type.Optional(Type.Array(text(100), { maxItems: 100 })),
    dueInDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'WorkflowStepInput' },
);
export type StepInput = Static<typeof stepInput>;

/** A step of a template. Its texts may use parameters as `{{name}}`. */
export const templateStep = Type.Object(
  {
    ...stepInput.properties,
    dueInDays: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 3_650 }), Type.String({ maxLength: 60, description: 'A parameter of type number' })]),
    ),
  },
  { title: 'WorkflowTemplateStepInput' },
);
export type TemplateStep = Static<typeof templateStep>;
const templateSteps = Type.Array(templateStep, { minItems: 1, maxItems: 200 });

const parameterValue = Type.Union([Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean()]);
export const parameter = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,49}$', description: 'Steps use it as `{{name}}`' }),
    type: Type.Enum(['text', 'date', 'user', 'number', 'boolean'], {
      description: 'The type of its values; `user` means members of the team',
    }),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    required: Type.Optional(Type.Boolean({ description: 'Whether a new workflow requires a value' })),
    default: Type.Optional(Type.Union(parameterValue.anyOf, { description: 'The value if none is given' })),
  },
  { title: 'WorkflowTemplateParameter', additionalProperties: false },
);
export type Parameter = Static<typeof parameter>;
const parameters = Type.Optional(Type.Array(parameter, { maxItems: 50, description: 'The parameters for new workflows' }));
const steps = Type.Array(stepInput, { minItems: 1, maxItems: 200 });

const nullableText = (maxLength: number) => Type.Optional(Type.Union([text(maxLength), Type.Null()]));
const documentId = Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The document, or the first of `documents`' }));
/** Maximum number of documents of a workflow, with those that its steps make. */
export const maxDocuments = 20;
const documents = Type.Optional(
  Type.Array(namedDocument, {
    minItems: 1,
    maxItems: maxDocuments,
    description: 'The documents by name, instead of `documentId`. The first decides the matter',
  }),
);

const matterId = Type.Optional(
  Type.String({ maxLength: 64, description: 'The matter. Work about a document of the team is in the matter of that document' }),
);
export const createBody = Type.Object({
  documentId,
  documents,
  name: text(1_000),
  steps,
  assignedTo: nullableText(64),
  dueDate: nullableText(40),
  matterId,
});
export type CreateWorkflow = Static<typeof createBody>;

export const updateBody = Type.Object(
  {
    documentId,
    documents,
    name: Type.Optional(text(1_000)),
    steps: Type.Optional(steps),
    assignedTo: nullableText(64),
    dueDate: nullableText(40),
  },
  { minProperties: 1 },
);
export type UpdateWorkflow = Static<typeof updateBody>;

export const fromTemplateBody = Type.Object({
  documentId,
  documents,
  name: Type.Optional(text(1_000)),
  assignedTo: nullableText(64),
  dueDate: nullableText(40),
  assignees: Type.Optional(
    Type.Record(Type.String(), Type.Array(text(64), { minItems: 1, maxItems: 50 }), {
      maxProperties: 200,
      description: 'The assignees of each step, by the id of the step',
    }),
  ),
  parameters: Type.Optional(
    Type.Record(Type.String({ maxLength: 50 }), parameterValue, {
      maxProperties: 50,
      description: 'Values of the template’s parameters, by name',
    }),
  ),
  confirmedVersion: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The version of the template whose instructions to agents the caller has read; required if another member wrote them',
    }),
  ),
});
export const reasonBody = Type.Union([Type.Object({ reason: Type.Optional(text(2_000)) }), Type.Null()]);

export const template = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    source: Type.Enum(['builtin', 'team']),
    steps: Type.Array(Type.Object({}, open)),
    parameters: Type.Optional(Type.Array(parameter, { description: 'The parameters for new workflows' })),
    version: Type.Optional(Type.Integer({ description: 'The version of a team template; each change increases it' })),
    createdBy: Type.Optional(Type.String({ description: 'The creator of a team template' })),
    createdByType: Type.Optional(Type.String({ description: 'user, client or agent' })),
    createdAt: Type.Optional(time),
    updatedAt: Type.Optional(time),
  },
  { title: 'WorkflowTemplate' },
);
export const templateName = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$',
  description: 'Lower-case letters, digits and hyphens',
});
export const templateBody = Type.Object({ name: templateName, description: text(1_000), steps: templateSteps, parameters });
export const templateChange = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 100, description: 'The name in the path; a template cannot be renamed' })),
    description: Type.Optional(text(1_000)),
    steps: Type.Optional(templateSteps),
    parameters,
    source: asRead,
    version: asRead,
    createdBy: asRead,
    createdByType: asRead,
    createdAt: asRead,
    updatedAt: asRead,
  },
  { minProperties: 1 },
);
export type TemplateInput = Static<typeof templateBody>;
export type TemplateChange = Static<typeof templateChange>;

export const templateVersion = Type.Object(
  {
    version: Type.Integer({ description: 'The number of the version, from 1' }),
    description: Type.String(),
    steps: Type.Array(Type.Object({}, open)),
    parameters: Type.Optional(Type.Array(parameter, { description: 'The parameters for new workflows' })),
    createdBy: Type.Optional(Type.String({ description: 'The author of this version' })),
    createdByType: Type.Optional(Type.String({ description: 'user, client or agent' })),
    createdAt: time,
  },
  { title: 'WorkflowTemplateVersion' },
);

export const message = Type.Object({ message: Type.String() }, { additionalProperties: false, title: 'Message' });
export const filters = {
  ...searchFilter('name'),
  ...idsFilter,
  status: Type.Optional(Type.Array(workflowStatus)),
  assignedTo: Type.Optional(Type.String({ description: 'A member, or `me`' })),
  waitingFor: Type.Optional(
    Type.Enum(['me'], { description: '`me`: only workflows with an open task that you can complete, or claim for one of your groups' }),
  ),
  type: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String()),
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'Only work in this matter' })),
  overdue: Type.Optional(Type.Boolean()),
  updatedSince: Type.Optional(Type.String({ format: 'date-time', description: 'Only items that changed at this time or later' })),
};
export const sort = Type.Optional(Type.Enum([...sorts], { description: 'The by default; `-` reverses the order' }));

/** Like the access lists of folders and documents, with equal member names. */
export const access = Type.Object(
  {
    grants: Type.Array(
      Type.Object({
        userId: Type.String(),
        access: Type.Enum(['read', 'write']),
        reason: Type.Enum(['maker', 'assignee', 'task', 'document', 'role']),
        since: time,
      }),
    ),
  },
  { title: 'WorkflowAccess' },
);
export type ListedTemplate = Static<typeof template>;
export type WorkflowAccess = Static<typeof access>;

export const forceQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'Whether to do it although published forms name the template; their owners get an email' }),
  ),
});
