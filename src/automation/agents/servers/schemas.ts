import { type Static, Type } from 'typebox';
import { failures } from './failure.ts';
import { time } from '../../../platform/schema-parts.ts';

const header = Type.String({ description: 'The name of the header that it is sent in' });
const summary = {
  id: Type.String(),
  slug: Type.String({ description: 'What stands before the names of its tools, with `__` in between, as agents call them' }),
  name: Type.String(),
  url: Type.String({ description: 'Where it is' }),
  credential: Type.Optional(Type.Object({ header }, { description: 'What it is called with; the value is never shown' })),
  signIn: Type.Optional(
    Type.Object(
      {
        issuer: Type.String({ description: 'Where somebody has signed in' }),
        by: Type.String({ description: 'Who that was' }),
        at: Type.String({ format: 'date-time', description: 'When it was' }),
      },
      { description: 'What it is called with came of signing in there' },
    ),
  ),
  enabled: Type.Boolean({ description: 'Whether agents may call its tools' }),
  trustedEgress: Type.Boolean({
    description: 'Tools that only read are called without a person’s approval also once a run has read what the team has',
  }),
  toolCount: Type.Integer({ description: 'How many tools it has' }),
  enabledToolCount: Type.Integer({ description: 'How many of them are switched on' }),
  checkedAt: Type.Optional({ ...time, description: 'When it was last asked for its tools' }),
  failure: Type.Optional(Type.Enum([...failures], { description: 'Why it could not be asked then' })),
  createdBy: Type.String({ description: 'Who added it' }),
  createdByType: Type.Literal('user', { description: 'A person: no program adds one' }),
  createdAt: time,
  updatedAt: time,
};
export const server = Type.Object(summary, { title: 'AgentMcpServer' });
export type ServerEntry = Static<typeof server>;

export const remoteTool = Type.Object(
  {
    name: Type.String({ description: 'What the server calls it' }),
    callName: Type.String({ description: 'What agents call it, and their allow-lists' }),
    title: Type.Optional(Type.String()),
    description: Type.String({ description: 'What its server says of it, which is told to the model' }),
    inputSchema: Type.Object({}, { additionalProperties: true, description: 'What it takes, as JSON Schema' }),
    annotations: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'What the server claims of it; it decides nothing' }),
    ),
    hash: Type.String({ description: 'The SHA-256 of all that its server says of it' }),
    state: Type.Enum(['on', 'off', 'changed', 'missing'], {
      description: '`changed`: it is described otherwise than when it was switched on, and off since; `missing`: the server has it no more',
    }),
    readOnly: Type.Boolean({ description: 'An administrator has said that it changes nothing' }),
    idempotent: Type.Boolean({ description: 'An administrator has said that it does no more when it is called twice' }),
    setBy: Type.Optional(Type.String({ description: 'Who switched it on or off last' })),
    setAt: Type.Optional({ ...time, description: 'When that was' }),
  },
  { title: 'AgentMcpTool' },
);
export const serverWithTools = Type.Object(
  {
    ...summary,
    tools: Type.Array(remoteTool, { description: 'Its tools by name, 100 at most' }),
    rejectedTools: Type.Array(
      Type.Object({ name: Type.String(), reason: Type.String({ description: 'What is wrong with it' }) }, { title: 'RejectedMcpTool' }),
      { description: 'Tools of it that cannot be used, 20 at most' },
    ),
  },
  { title: 'AgentMcpServerWithTools' },
);
export type Server = Static<typeof serverWithTools>;

const name = Type.String({ maxLength: 1_000 });
const url = Type.String({ maxLength: 2_048, description: 'Where it is, with https' });
const credential = Type.Object(
  {
    header: Type.Optional(Type.String({ maxLength: 64, description: '`Authorization` without it' })),
    value: Type.String({ minLength: 1, maxLength: 4_096, description: 'The whole value, such as `Bearer …`' }),
  },
  { description: 'What it is called with' },
);
const trustedEgress = Type.Boolean({
  description:
    'Let tools that only read be called without approval also once a run has read what the team has: what they are called with leaves',
});
export const createBody = Type.Object({
  slug: Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    maxLength: 20,
    description: 'What stands before the names of its tools; it stays as it is. `chancery` is reserved',
  }),
  name,
  url,
  credential: Type.Optional(credential),
  trustedEgress: Type.Optional(trustedEgress),
});
export type CreateServer = Static<typeof createBody>;
export const updateBody = Type.Object(
  {
    name: Type.Optional(name),
    url: Type.Optional({ ...url, description: 'Where it is. Another address ends its credential, and its tools are off' }),
    credential: Type.Optional(Type.Union([credential, Type.Null()], { description: 'What it is called with; null for nothing' })),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether agents may call its tools' })),
    trustedEgress: Type.Optional(trustedEgress),
  },
  { minProperties: 1 },
);
export type UpdateServer = Static<typeof updateBody>;
export const toolBody = Type.Object({
  enabled: Type.Boolean({ description: 'Whether agents whose allow-list names it have it' }),
  readOnly: Type.Optional(Type.Boolean({ description: 'It changes nothing: then it need not be approved. false without it' })),
  idempotent: Type.Optional(
    Type.Boolean({
      description:
        'Called twice it does no more than called once: a call whose outcome is not known is sent again, and no person is asked. false without it',
    }),
  ),
  hash: Type.String({ maxLength: 64, description: 'The `hash` of the description that you have looked at' }),
});
export type SetTool = Static<typeof toolBody>;

const serverId = Type.String({ description: 'The identifier of an MCP server' });
export const serverParams = Type.Object({ serverId });
export const toolParams = Type.Object({ serverId, toolName: Type.String({ description: 'The name of a tool, as its server calls it' }) });
