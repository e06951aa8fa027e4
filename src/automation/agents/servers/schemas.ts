import { type Static, Type } from 'typebox';
import { failures } from './failure.ts';
import { time } from '../../../platform/schema-parts.ts';

const header = Type.String({ description: 'The name of the header that it is sent in' });
const summary = {
  id: Type.String(),
  slug: Type.String({ description: 'What stands before the names of its tools, with `__` in between, as agents call them' }),
  name: Type.String(),
  url: Type.String({ description: 'Where it is' }),
  credential: Type.Optional(Type.Object({ header }, { description: 'The credential of the calls; its value is never returned' })),
  signIn: Type.Optional(
    Type.Object(
      {
        issuer: Type.String({ description: 'The authorization server' }),
        by: Type.String({ description: 'Who that was' }),
        at: Type.String({ format: 'date-time', description: 'When it was' }),
      },
      { description: 'The sign-in that provides the credential' },
    ),
  ),
  enabled: Type.Boolean({ description: 'Whether agents can call its tools' }),
  trustedEgress: Type.Boolean({
    description: 'Whether read-only tools need no approval after a run has read data of the team',
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
    name: Type.String({ description: 'The name on the server' }),
    callName: Type.String({ description: 'What agents call it, and their allow-lists' }),
    title: Type.Optional(Type.String()),
    description: Type.String({ description: 'The description from its server, for the model' }),
    inputSchema: Type.Object({}, { additionalProperties: true, description: 'The input, as JSON Schema' }),
    annotations: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Claims of the server, without effect' })),
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
    tools: Type.Array(remoteTool, { description: 'Its tools by name, at most 100' }),
    rejectedTools: Type.Array(
      Type.Object(
        { name: Type.String(), reason: Type.String({ description: 'The reason of the rejection' }) },
        { title: 'RejectedMcpTool' },
      ),
      { description: 'Unusable tools, at most 20' },
    ),
  },
  { title: 'AgentMcpServerWithTools' },
);
export type Server = Static<typeof serverWithTools>;

const name = Type.String({ maxLength: 1_000 });
const url = Type.String({ maxLength: 2_048, description: 'The https address of the server' });
const credential = Type.Object(
  {
    header: Type.Optional(Type.String({ maxLength: 64, description: 'The name of the header; `Authorization` by default' })),
    value: Type.String({ minLength: 1, maxLength: 4_096, description: 'The complete value, such as `Bearer …`' }),
  },
  { description: 'The credential of the calls' },
);
const trustedEgress = Type.Boolean({
  description: 'Whether read-only tools need no approval after a run has read data of the team; the arguments then leave the service',
});
export const createBody = Type.Object({
  slug: Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    maxLength: 20,
    description: 'The prefix of its tool names, which cannot change. `chancery` is reserved',
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
    url: Type.Optional({
      ...url,
      description: 'The https address of the server. A new address removes its credential and disables its tools',
    }),
    credential: Type.Optional(Type.Union([credential, Type.Null()], { description: 'The credential of the calls; null for none' })),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether agents can call its tools' })),
    trustedEgress: Type.Optional(trustedEgress),
  },
  { minProperties: 1 },
);
export type UpdateServer = Static<typeof updateBody>;
export const toolBody = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the tool is available to agents that list it in `tools.allow`' }),
  readOnly: Type.Optional(Type.Boolean({ description: 'Whether it changes nothing, and so needs no approval; false by default' })),
  idempotent: Type.Optional(
    Type.Boolean({
      description:
        'Whether a second call has no further effect. A call with an unknown outcome is then sent again without asking a person. false by default',
    }),
  ),
  hash: Type.String({ maxLength: 64, description: 'The `hash` of the description that you reviewed' }),
});
export type SetTool = Static<typeof toolBody>;

const serverId = Type.String({ description: 'The identifier of an MCP server' });
export const serverParams = Type.Object({ serverId });
export const toolParams = Type.Object({ serverId, toolName: Type.String({ description: 'The name of a tool, as its server calls it' }) });
