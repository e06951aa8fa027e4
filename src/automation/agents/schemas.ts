import { principal, shownPrincipal } from '#access';
import { type Static, Type } from 'typebox';
import { actorTypes } from '../../platform/scope.ts';
import { time, uuid } from '../../platform/schema-parts.ts';

const orNone = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const modelName = Type.String({ minLength: 1, maxLength: 200 });
const toolNames = Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), { maxItems: 200, uniqueItems: true });
const approvals = Type.Enum(['never', 'mutating', 'always'], {
  description: 'Which tool calls wait for a person’s approval: none, those that change something, or all',
});
const fourEyes =
  'Whoever a run is for, or has asked for it, does not approve its calls: an owner or administrator other than them is asked; false by default';
const limit = (minimum: number, maximum: number, description: string) => Type.Integer({ minimum, maximum, description });
const cost = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });
const costs = {
  maxCostMicrosPerRun:
    'What one run may cost, in millionths of the currency of the prices that the service has set; none by default. Each model it may ask then needs a price',
  maxCostMicrosPerDay: 'What its runs of one day (UTC) may cost together, in the same way',
};
const limits = {
  maxTokensPerRun: limit(1_000, 10_000_000, 'Tokens that one run may use; 200 000 by default'),
  maxTokensPerDay: limit(1_000, 1_000_000_000, 'Tokens that its runs of one day (UTC) may use together; 2 000 000 by default'),
  maxSteps: limit(1, 200, 'Calls of the model in one run; 30 by default'),
  timeoutSeconds: limit(10, 3_600, 'How long one run may work; what it waits for a person does not count; 600 by default'),
};

const stopped = Type.Object(
  {
    at: time,
    by: Type.String({ description: 'Who stopped it' }),
    reason: Type.String({ description: 'Why' }),
    everyAgent: Type.Boolean({ description: 'All agents of the team are stopped, not this one alone' }),
  },
  { title: 'AgentStop' },
);

/** What an agent is set to: what its versions keep. */
const configuration = {
  name: Type.String(),
  description: Type.Optional(Type.String()),
  enabled: Type.Boolean({ description: 'Whether it may be run' }),
  model: Type.Object(
    {
      primary: Type.Optional(Type.String({ description: 'Left out where the service’s own is meant' })),
      fallbacks: Type.Array(Type.String(), { description: 'Asked in this order where the first does not answer' }),
    },
    { description: 'Which models it asks' },
  ),
  scopes: Type.Array(Type.String(), { description: 'What it may do at most: less where whoever it acts for may do less' }),
  folderIds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The folders it is confined to; an empty list reaches nothing; left out when the whole team’s are open to it',
    }),
  ),
  tools: Type.Object(
    {
      allow: Type.Optional(Type.Array(Type.String(), { description: 'Left out: the built-in tools that only read' })),
      deny: Type.Array(Type.String(), { description: 'These it never has, whatever `allow` says' }),
    },
    { description: 'Which tools it has' },
  ),
  skills: Type.Array(Type.String(), { description: 'The skills that it has, by name' }),
  approval: approvals,
  fourEyes: Type.Boolean({ description: fourEyes }),
  limits: Type.Object(
    {
      ...limits,
      maxCostMicrosPerRun: Type.Optional({ ...cost, description: costs.maxCostMicrosPerRun }),
      maxCostMicrosPerDay: Type.Optional({ ...cost, description: costs.maxCostMicrosPerDay }),
    },
    { description: 'How much a run may take' },
  ),
};

export const agent = Type.Object(
  {
    id: Type.String(),
    ...configuration,
    isDefault: Type.Boolean({ description: 'The agent that every team has, whose identifier may be written `main`' }),
    presetId: Type.Optional(Type.String({ description: 'The preset that was last applied to it' })),
    stopped: Type.Optional(stopped),
    createdBy: Type.Optional(Type.String({ description: 'Who made it; left out of `main`, which comes with the team' })),
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
    changedBy: Type.Optional(Type.String({ description: 'Who made this version; left out where the service did' })),
    changedAt: time,
    agent: Type.Object(configuration, { title: 'AgentConfiguration' }),
  },
  { title: 'AgentVersion' },
);
export type AgentVersion = Static<typeof agentVersion>;

const name = Type.String({ maxLength: 1_000 });
const settable = {
  description: Type.Optional(orNone(Type.String({ maxLength: 2_000 }), 'What it is for')),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it may be run' })),
  model: Type.Optional(
    Type.Object(
      {
        primary: Type.Optional(orNone(modelName, 'null for the service’s own')),
        fallbacks: Type.Optional(
          Type.Array(modelName, { maxItems: 5, description: 'Asked in this order where the first does not answer' }),
        ),
      },
      { description: 'Which models it asks; what is left out stays' },
    ),
  ),
  scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 64,
      description: 'At most what you hold; without it, on a new agent, to read',
    }),
  ),
  folderIds: Type.Optional(
    orNone(Type.Array(uuid, { maxItems: 50 }), 'Confines it to these folders and what lies in them; null for the whole team’s'),
  ),
  tools: Type.Optional(
    Type.Object(
      {
        allow: Type.Optional(orNone(toolNames, 'The tools it has; null for the built-in ones that only read')),
        deny: Type.Optional({ ...toolNames, description: 'These it never has, whatever `allow` says' }),
      },
      { description: 'Which tools it has; what is left out stays' },
    ),
  ),
  skills: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, uniqueItems: true, description: 'The skills that it is to have, by name' }),
  ),
  approval: Type.Optional(approvals),
  fourEyes: Type.Optional(Type.Boolean({ description: fourEyes })),
  limits: Type.Optional(
    Type.Partial(
      Type.Object({
        ...limits,
        maxCostMicrosPerRun: orNone(cost, `${costs.maxCostMicrosPerRun}; null for none`),
        maxCostMicrosPerDay: orNone(cost, `${costs.maxCostMicrosPerDay}; null for none`),
      }),
      { description: 'How much a run may take; what is left out stays' },
    ),
  ),
};

export const createBody = Type.Object({ name, ...settable });
export type CreateAgent = Static<typeof createBody>;
export const updateBody = Type.Object({ name: Type.Optional(name), ...settable }, { minProperties: 1 });
export type UpdateAgent = Static<typeof updateBody>;

export const revertBody = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'The version that it is to be as again' }),
});

export const stopBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why, for those who find it stopped' }),
});
export const teamStop = Type.Object(
  {
    stopped: Type.Boolean({ description: 'Whether all agents of the team are stopped' }),
    at: Type.Optional({ ...time, description: 'Since when' }),
    by: Type.Optional(Type.String({ description: 'Who stopped them' })),
    reason: Type.Optional(Type.String({ description: 'Why' })),
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
          name: Type.String({ description: 'What it is called by, in allow-lists too' }),
          title: Type.String(),
          description: Type.String(),
          inputSchema: Type.Object({}, { additionalProperties: true, description: 'What it takes, as JSON Schema' }),
          annotations: Type.Object(
            {
              readOnlyHint: hint('It only reads'),
              destructiveHint: hint('It ends or overwrites something'),
              idempotentHint: hint('Calling it twice does no more than calling it once'),
              openWorldHint: hint('It reaches outside of the service'),
            },
            { description: 'As the Model Context Protocol has them' },
          ),
          server: Type.String({ description: 'Whose tool it is: `chancery`, the service’s own' }),
          scope: Type.String({ description: 'What whoever calls it must hold' }),
          isMutating: Type.Boolean({ description: 'It changes something' }),
          enabled: Type.Boolean({ description: 'The agent that was asked about has it; true where none was named' }),
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
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'Which agent is asked about; its identifier, or `main`' })),
});

export const shareBody = Type.Object(principal);
export type ShareBody = Static<typeof shareBody>;
export const share = Type.Object(
  {
    id: Type.String(),
    agentId: Type.String({ description: 'What was given' }),
    ...shownPrincipal,
    access: Type.Literal('use', { description: 'To see the agent and to have it run' }),
    grantedBy: Type.String({ description: 'Who gave it' }),
    createdAt: time,
  },
  { title: 'AgentShare' },
);
export type Share = Static<typeof share>;

export const agentParams = Type.Object({ agentId: Type.String({ description: 'The identifier of an agent, or `main`' }) });
