import { principal, shownPrincipal } from '#access';
import { type Static, Type } from 'typebox';
import { actorTypes } from '../../platform/scope.ts';
import { time, uuid } from '../../platform/schema-parts.ts';

const orNone = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const modelName = Type.String({ minLength: 1, maxLength: 200 });
const toolNames = Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), { maxItems: 200, uniqueItems: true });
const approvals = Type.Enum(['never', 'mutating', 'always'], {
  description: 'Tool calls that wait for approval by a person: none, calls that change data, or all',
});
const approvalPolicy = 'The approval policy of the team that decides who approves a tool call';
const fourEyes =
  'Whether the owner and the requester of a run cannot approve its calls, so that another owner or administrator must; false by default';
const limit = (minimum: number, maximum: number, description: string) => Type.Integer({ minimum, maximum, description });
const cost = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });
const costs = {
  maxCostMicrosPerRun:
    'The maximum cost of one run, in millionths of the currency of the configured prices; unlimited by default. Each of its models then needs a price',
  maxCostMicrosPerDay: 'The maximum cost of all its runs in a day (UTC), in the same unit',
};
const limits = {
  maxTokensPerRun: limit(1_000, 10_000_000, 'The maximum number of tokens of one run; 200 000 by default'),
  maxTokensPerDay: limit(1_000, 1_000_000_000, 'The maximum number of tokens of all its runs in a day (UTC); 2 000 000 by default'),
  maxSteps: limit(1, 200, 'The maximum number of model calls in one run; 30 by default'),
  timeoutSeconds: limit(10, 3_600, 'The maximum working time of one run, without its waits for approval; 600 by default'),
};

const stopped = Type.Object(
  {
    at: time,
    by: Type.String({ description: 'The actor of the stop' }),
    reason: Type.String({ description: 'The reason' }),
    everyAgent: Type.Boolean({ description: 'Whether all agents of the team are stopped, not only this one' }),
  },
  { title: 'AgentStop' },
);

/** The settings of an agent, which its versions store. */
const configuration = {
  name: Type.String(),
  description: Type.Optional(Type.String()),
  enabled: Type.Boolean({ description: 'Whether it can run' }),
  model: Type.Object(
    {
      primary: Type.Optional(Type.String({ description: 'Absent for the default model of the service' })),
      fallbacks: Type.Array(Type.String(), { description: 'Tried in this order if the first does not respond' }),
    },
    { description: 'The models of the agent' },
  ),
  scopes: Type.Array(Type.String(), { description: 'The maximum scopes; a run also needs the rights of its person' }),
  folderIds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The folders of the agent; an empty list allows none, and without it the whole team’s are accessible',
    }),
  ),
  tools: Type.Object(
    {
      allow: Type.Optional(Type.Array(Type.String(), { description: 'The allowed tools; absent for the built-in tools that only read' })),
      deny: Type.Array(Type.String(), { description: 'The denied tools, which override `allow`' }),
    },
    { description: 'The tools of the agent' },
  ),
  skills: Type.Array(Type.String(), { description: 'The names of its skills' }),
  approval: approvals,
  approvalPolicy: Type.Optional(Type.String({ description: approvalPolicy })),
  fourEyes: Type.Boolean({ description: fourEyes }),
  limits: Type.Object(
    {
      ...limits,
      maxCostMicrosPerRun: Type.Optional({ ...cost, description: costs.maxCostMicrosPerRun }),
      maxCostMicrosPerDay: Type.Optional({ ...cost, description: costs.maxCostMicrosPerDay }),
    },
    { description: 'The limits of a run' },
  ),
};

export const agent = Type.Object(
  {
    id: Type.String(),
    ...configuration,
    isDefault: Type.Boolean({ description: 'Whether it is the default agent of the team, with the alias `main`' }),
    presetId: Type.Optional(Type.String({ description: 'The last applied preset' })),
    stopped: Type.Optional(stopped),
    createdBy: Type.Optional(Type.String({ description: 'The creator; absent for `main`' })),
    createdByType: Type.String({ enum: [...actorTypes], description: '`user`; `system` of `main`' }),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Agent' },
);
export type Agent = Static<typeof agent>;
export type Configuration = Pick<Agent, keyof typeof configuration>;

export const agentVersion = Type.Object(
  {
    version: Type.Integer(),
    changedBy: Type.Optional(Type.String({ description: 'The actor of the change; absent for the service' })),
    changedAt: time,
    agent: Type.Object(configuration, { title: 'AgentConfiguration' }),
  },
  { title: 'AgentVersion' },
);
export type AgentVersion = Static<typeof agentVersion>;

const name = Type.String({ maxLength: 1_000 });
const settable = {
  description: Type.Optional(orNone(Type.String({ maxLength: 2_000 }), 'The purpose')),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it can run' })),
  model: Type.Optional(
    Type.Object(
      {
        primary: Type.Optional(orNone(modelName, 'null for the default model of the service')),
        fallbacks: Type.Optional(Type.Array(modelName, { maxItems: 5, description: 'Tried in this order if the first does not respond' })),
      },
      { description: 'The models of the agent; members that you leave out stay' },
    ),
  ),
  scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 64,
      description: 'At most your own scopes; without it a new agent can only read',
    }),
  ),
  folderIds: Type.Optional(
    orNone(Type.Array(uuid, { maxItems: 50 }), 'Restricts it to these folders and their contents; null for all folders of the team'),
  ),
  tools: Type.Optional(
    Type.Object(
      {
        allow: Type.Optional(orNone(toolNames, 'The allowed tools; null for the built-in tools that only read')),
        deny: Type.Optional({ ...toolNames, description: 'The denied tools, which override `allow`' }),
      },
      { description: 'The tools of the agent; members that you leave out stay' },
    ),
  ),
  skills: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, uniqueItems: true, description: 'The names of its skills' }),
  ),
  approval: Type.Optional(approvals),
  approvalPolicy: Type.Optional(orNone(Type.String({ maxLength: 64 }), `${approvalPolicy}; null for one person`)),
  fourEyes: Type.Optional(Type.Boolean({ description: fourEyes })),
  limits: Type.Optional(
    Type.Partial(
      Type.Object({
        ...limits,
        maxCostMicrosPerRun: orNone(cost, `${costs.maxCostMicrosPerRun}; null for none`),
        maxCostMicrosPerDay: orNone(cost, `${costs.maxCostMicrosPerDay}; null for none`),
      }),
      { description: 'The limits of a run; members that you leave out stay' },
    ),
  ),
};

export const createBody = Type.Object({ name, ...settable });
export type CreateAgent = Static<typeof createBody>;
export const updateBody = Type.Object({ name: Type.Optional(name), ...settable }, { minProperties: 1 });
export type UpdateAgent = Static<typeof updateBody>;

export const revertBody = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'The version to restore' }),
});

export const stopBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 500, description: 'The reason, for users who find the agent stopped' }),
});
export const teamStop = Type.Object(
  {
    stopped: Type.Boolean({ description: 'Whether all agents of the team are stopped' }),
    at: Type.Optional({ ...time, description: 'The start time' }),
    by: Type.Optional(Type.String({ description: 'The actor of the stop' })),
    reason: Type.Optional(Type.String({ description: 'The reason' })),
  },
  { title: 'AgentsStop' },
);
export type TeamStop = Static<typeof teamStop>;

const hint = (description: string) => Type.Boolean({ description });
export const catalogue = Type.Object(
  {
    tools: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The name of the tool, also in allow-lists' }),
          title: Type.String(),
          description: Type.String(),
          inputSchema: Type.Object({}, { additionalProperties: true, description: 'The input, as JSON Schema' }),
          annotations: Type.Object(
            {
              readOnlyHint: hint('The tool only reads'),
              destructiveHint: hint('The tool ends or overwrites something'),
              idempotentHint: hint('A repeated call has no further effect'),
              openWorldHint: hint('The tool contacts systems outside of the service'),
            },
            { description: 'The tool annotations of the Model Context Protocol' },
          ),
          server: Type.String({ description: 'The server of the tool: `chancery` for the built-in tools' }),
          scope: Type.String({ description: 'The scope that a call requires' }),
          isMutating: Type.Boolean({ description: 'Whether the tool changes data' }),
          enabled: Type.Boolean({ description: 'Whether the requested agent has the tool; true without `agentId`' }),
        },
        { title: 'AgentTool' },
      ),
      { description: 'All tools, by name' },
    ),
  },
  { title: 'AgentTools' },
);
export type Catalogue = Static<typeof catalogue>;
export const agentQuery = Type.Object({
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'The agent, by identifier or as `main`' })),
});

export const shareBody = Type.Object(principal);
export type ShareBody = Static<typeof shareBody>;
export const share = Type.Object(
  {
    id: Type.String(),
    agentId: Type.String({ description: 'The shared agent' }),
    ...shownPrincipal,
    access: Type.Literal('use', { description: 'The grantee can see and run the agent' }),
    grantedBy: Type.String({ description: 'The grantor' }),
    createdAt: time,
  },
  { title: 'AgentShare' },
);
export type Share = Static<typeof share>;

export const callerBody = Type.Object({ clientId: Type.String({ maxLength: 64, description: 'The API client' }) });
export const caller = Type.Object(
  {
    clientId: Type.String({ description: 'The API client that may start the agent' }),
    onBehalfOf: Type.String({ description: 'The member who consented. The runs have the rights of this member' }),
    since: time,
  },
  { title: 'AgentCaller' },
);
export type AgentCaller = Static<typeof caller>;

export const agentParams = Type.Object({ agentId: Type.String({ description: 'The identifier of an agent, or `main`' }) });
