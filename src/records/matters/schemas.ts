import { folderBarrier } from '#folders';
import { type Static, Type } from 'typebox';
import { searchFilter } from '../../platform/http/page.ts';
import { actorTypes } from '../../platform/scope.ts';
import { text, time } from '../../platform/schema-parts.ts';

const day = Type.String({ format: 'date' });
const nullable = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
const id = Type.String({ maxLength: 64 });

export const client = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    reference: Type.Optional(Type.String()),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'MatterClient' },
);
export type MatterClient = Static<typeof client>;
const clientMembers = {
  name: Type.String({ minLength: 1, maxLength: 1_000, description: 'Unique in the team, regardless of case' }),
  reference: nullable(text(200)),
};
export const clientBody = Type.Object(clientMembers);
export type ClientBody = Static<typeof clientBody>;
export const clientPatch = Type.Object({ ...clientMembers, name: Type.Optional(clientMembers.name) }, { minProperties: 1 });
export type ClientPatch = Static<typeof clientPatch>;

const status = Type.Enum(['pending', 'open', 'closed']);
const fields = Type.Record(
  Type.String({ maxLength: 100 }),
  Type.Union([Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean()]),
  {
    maxProperties: 50,
    description: 'Fields of your own: texts, numbers and booleans',
  },
);

export const matter = Type.Object(
  {
    id: Type.String(),
    number: Type.String({ description: 'Unique in the team' }),
    name: Type.String(),
    status,
    clientId: Type.Optional(Type.String()),
    practice: Type.Optional(Type.String({ description: 'The area of law or the department' })),
    responsibleId: Type.String({ description: 'The responsible person, who owns the matter and its folders and documents' }),
    barrier: Type.Optional(Type.Literal(true, { description: 'The matter has an information barrier' })),
    openedOn: Type.Optional(day),
    closedOn: Type.Optional(day),
    retainUntil: Type.Optional(Type.String({ format: 'date', description: 'Until this day a closed matter cannot be deleted' })),
    fields: Type.Optional(Type.Object({}, { additionalProperties: true })),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Matter' },
);
export type Matter = Static<typeof matter>;

const members = {
  name: text(1_000),
  number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'By default the year and the next number of the year, such as `2026-0001`' }),
  ),
  clientId: nullable(id),
  practice: nullable(text(200)),
  status: Type.Optional(Type.Enum(['pending', 'open'], { description: '`open` by default' })),
  openedOn: nullable(day),
  responsibleId: Type.Optional(
    Type.String({ maxLength: 64, description: 'The responsible member. Only owner and administrators name another member' }),
  ),
  fields: Type.Optional(fields),
};
export const matterBody = Type.Object(members);
export type MatterBody = Static<typeof matterBody>;
export const matterPatch = Type.Object({ ...members, name: Type.Optional(members.name) }, { minProperties: 1 });
export type MatterPatch = Static<typeof matterPatch>;

export const filters = {
  status: Type.Optional(Type.Enum(['pending', 'open', 'closed'], { description: 'Only matters with this status' })),
  clientId: Type.Optional(Type.String({ maxLength: 64, description: 'Only matters of this client' })),
  responsibleId: Type.Optional(Type.String({ maxLength: 64, description: 'Only matters of this responsible person' })),
  ...searchFilter('number or the name'),
};
export type Filters = Partial<Static<ReturnType<typeof Type.Object<typeof filters>>>>;

export const closeBody = Type.Union([
  Type.Object({
    force: Type.Optional(Type.Boolean({ description: 'End open workflows, tasks and signature requests. Needs `reason`' })),
    reason: Type.Optional(Type.String({ minLength: 3, maxLength: 500 })),
    retainUntil: Type.Optional(Type.String({ format: 'date', description: 'The last day on which the matter cannot be deleted' })),
  }),
  Type.Null(),
]);
export type CloseBody = Static<typeof closeBody>;

export const contentTypes = ['folder', 'document', 'workflow', 'task', 'form', 'registry', 'signature_request'] as const;
export const contentType = Type.Enum([...contentTypes]);
export type ContentType = (typeof contentTypes)[number];
export const content = Type.Object(
  { type: contentType, id: Type.String(), name: Type.String(), open: Type.Optional(Type.Literal(true)), updatedAt: time },
  { title: 'MatterContent' },
);
export type MatterContent = Static<typeof content>;
const item = Type.Object(
  { type: Type.Enum(['folder', 'document', 'workflow', 'registry']), id: Type.String({ format: 'uuid' }) },
  { title: 'MatterItem' },
);
export type Item = Static<typeof item>;
const items = Type.Array(item, { minItems: 1, maxItems: 100 });
export const addBody = Type.Object({
  items,
  confirm: Type.Optional(Type.Boolean({ description: 'Add them even if more people will see them' })),
});
export type AddBody = Static<typeof addBody>;
export const removeBody = Type.Object({ items });

const { folderId: _folderId, ...barrierMembers } = folderBarrier.properties;
export const barrier = Type.Object({ matterId: Type.String(), ...barrierMembers }, { title: 'MatterBarrier' });

export const deadline = Type.Object(
  {
    id: Type.String(),
    matterId: Type.String(),
    title: Type.String(),
    dueDate: time,
    source: Type.Optional(Type.String({ description: 'The origin of the date, such as a rule or an order of a court' })),
    assigneeId: Type.Optional(Type.String({ description: 'The assignee of the task; the responsible person by default' })),
    remindDays: Type.Integer({ description: 'Working days of the team before the date at which the task is created' }),
    taskId: Type.Optional(Type.String({ description: 'The task, after it was created' })),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'MatterDeadline' },
);
export type Deadline = Static<typeof deadline>;
const deadlineMembers = {
  title: text(1_000),
  dueDate: Type.String({ maxLength: 40, description: 'A date, which means its end in the time zone of the team, or a time' }),
  source: nullable(text(500)),
  assigneeId: nullable(id),
  remindDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 60, description: '5 by default' })),
};
export const deadlineBody = Type.Object(deadlineMembers);
export type DeadlineBody = Static<typeof deadlineBody>;
export const deadlinePatch = Type.Object(Type.Partial(Type.Object(deadlineMembers)).properties, { minProperties: 1 });
export type DeadlinePatch = Static<typeof deadlinePatch>;
export const deadlineParams = Type.Object({ id: Type.String(), deadlineId: Type.String() });
