import { type Static, Type } from 'typebox';
import { failures } from './failure.ts';
import { time } from '../../../platform/schema-parts.ts';

const header = Type.String({ description: 'The name of its header' });
const summary = {
  id: Type.String(),
  slug: Type.String({ description: 'The prefix of its tool names for agents, followed by `__`' }),
  name: Type.String(),
  url: Type.String({ description: 'The address' }),
  credential: Type.Optional(Type.Object({ header }, { description: 'The credential of the calls; its value is never returned' })),
  signIn: Type.Optional(
    Type.Object(
      {
        issuer: Type.String({ description: 'The authorization server' }),
        by: Type.String({ description: 'The person who signed in' }),
        at: Type.String({ format: 'date-time', description: 'The time of the sign-in' }),
      },
      { description: 'The sign-in that provides the credential' },
    ),
  ),
  enabled: Type.Boolean({ description: 'Whether agents can call its tools' }),
  trustedEgress: Type.Boolean({
    description: 'Whether read-only tools need no approval after a run has read data of the team',
  }),
  toolCount: Type.Integer({ description: 'The number of its tools' }),
  enabledToolCount: Type.Integer({ description: 'The number of enabled tools' }),
  checkedAt: Type.Optional({ ...time, description: 'The time of the last check of its tools' }),
  failure: Type.Optional(Type.Enum([...failures], { description: 'The reason of a failed check' })),
  createdBy: Type.String({ description: 'The actor that added it' }),
  createdByType: Type.Literal('user', { description: 'Always `user`: only a person can add a server' }),
  createdAt: time,
  updatedAt: time,
};
export const server = Type.Object(summary, { title: 'AgentMcpServer' });
export type ServerEntry = Static<typeof server>;

export const remoteTool = Type.Object(
  {
    name: Type.String({ description: 'The name on the server' }),
    callName: Type.String({ description: 'Its name for agents and in allow-lists' }),
    title: Type.Optional(Type.String()),
    description: Type.String({ description: 'The description from its server, for the model' }),
    inputSchema: Type.Object({}, { additionalProperties: true, description: 'The input, as JSON Schema' }),
    annotations: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Claims of the server, without effect' })),
    hash: Type.String({ description: 'SHA-256 of its complete description from the server' }),
    state: Type.Enum(['on', 'off', 'changed', 'missing'], {
      description: '`changed`: its description changed after it was enabled, so it is off; `missing`: the server no longer has it',
    }),
    readOnly: Type.Boolean({ description: 'Whether an administrator declared that it changes nothing' }),
    idempotent: Type.Boolean({ description: 'Whether an administrator declared that a second call has no further effect' }),
    setBy: Type.Optional(Type.String({ description: 'The actor that last enabled or disabled it' })),
    setAt: Type.Optional({ ...time, description: 'The time of that change' }),
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
export const toolParams = Type.Object({ serverId, toolName: Type.String({ description: 'The name of a tool on its server' }) });
