import { callerOf, relationsFor } from '#access';
import { randomUUIDv7 } from 'node:crypto';
import { confinement, grantable, type GrantorScopes, knownPolicy } from '#clients';
import type { ChangePage, Placed } from '../../platform/database/sorted-page.ts';
import { notFound } from '../../platform/identifiers.ts';
import { record } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { lockedAgent, personOf, seesAllAgents, usableAgent } from './access.ts';
import { agentCreated, agentDeleted, agentUpdated } from './events.ts';
import { plainScopes, scopesOfAgents } from './policy.ts';
import { presentAgent, presentVersion } from './present.ts';
import { agentProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Agent, AgentVersion, CreateAgent, UpdateAgent } from './schemas.ts';
import { lockSkillChanges, knownSkills } from './skills/index.ts';

/** Returns a page of the agents that the actor can see. */
export async function listAgents({ db, team, actor }: ReadScope, { sort, ...page }: ChangePage): Promise<Placed<Agent>[]> {
  const seen = { all: seesAllAgents(actor), viewing: relationsFor(actor, 'assistant', 'view'), ...callerOf(actor) };
  const rows = await db.all(queries.listAgents[sort], { team, ...seen, ...page });
  return rows.map((row) => ({ thing: presentAgent(row), place: [row.sort_time, row.id] }));
}

/** Returns an agent. Throws 404. */
export async function getAgent(scope: ReadScope | Scope, id: string): Promise<Versioned<Agent>> {
  const row = await usableAgent(scope, id);
  return { value: presentAgent(row), version: row.version };
}

const plain: queries.AgentParams = {
  name: '',
  description: null,
  enabled: true,
  model: null,
  fallbacks: [],
  scopes: [],
  folders: null,
  allow: null,
  deny: [],
  skills: [],
  approval: 'mutating',
  approvalPolicy: null,
  fourEyes: false,
  tokensPerRun: 200_000,
  tokensPerDay: 2_000_000,
  costPerRun: null,
  costPerDay: null,
  steps: 30,
  seconds: 600,
};

/** Creates an agent with at most the scopes of the caller. Throws 403 `scope_not_held`, 409 `quota_exceeded`, and 422. */
export async function createAgent(scope: Scope, grantorScopes: GrantorScopes, input: CreateAgent): Promise<Versioned<Agent>> {
  const id = randomUUIDv7();
  if (input.skills !== undefined) await lockSkillChanges(scope);
  const settings = await settled(scope, grantorScopes, plain, { scopes: plainScopes.filter((one) => grantorScopes.has(one)), ...input });
  scope.db.send(queries.insertAgent, { team: scope.team, id, ...settings, by: personOf(scope), at: scope.now });
  await record(scope, agentCreated, id, { name: settings.name });
  return getAgent(scope, id);
}

/** Changes the sent members. Throws the same errors as {@link createAgent}, and 404 and 412. */
export async function updateAgent(
  scope: Scope,
  grantorScopes: GrantorScopes,
  id: string,
  input: UpdateAgent,
  expect: VersionCheck,
): Promise<Versioned<Agent>> {
  if (input.skills !== undefined) await lockSkillChanges(scope);
  const kept = await lockedAgent(scope, id, expect);
  const settings = await settled(scope, grantorScopes, settingsOf(kept), input);
  return change(scope, kept, settings, { members: Object.keys(input) });
}

/**
 * Restores the settings of an earlier version. The caller must have each scope and folder that this adds. Throws the same errors as {@link
 * updateAgent}.
 */
export async function revertAgent(
  scope: Scope,
  grantorScopes: GrantorScopes,
  id: string,
  version: number,
  expect: VersionCheck,
): Promise<Versioned<Agent>> {
  await lockSkillChanges(scope);
  const kept = await lockedAgent(scope, id, expect);
  const earlier = await scope.db.first(queries.findVersion, { team: scope.team, agent: kept.id, version });
  if (!earlier) throw notFound('version of this agent');
  const {
    name,
    description,
    enabled,
    model,
    scopes,
    folderIds,
    tools,
    skills,
    approval,
    approvalPolicy = null,
    fourEyes,
    limits,
  } = presentVersion(earlier).agent;
  const input = {
    name,
    description: description ?? null,
    enabled,
    scopes,
    folderIds: folderIds ?? null,
    skills,
    approval,
    approvalPolicy,
    fourEyes,
  };
  const whole = {
    ...input,
    model: { primary: null, ...model },
    tools: { allow: null, ...tools },
    limits: { maxCostMicrosPerRun: null, maxCostMicrosPerDay: null, ...limits },
  };
  const settings = await settled(scope, grantorScopes, settingsOf(kept), whole);
  return change(scope, kept, settings, { members: Object.keys(whole), restoredVersion: version });
}

async function change(
  scope: Scope,
  kept: queries.AgentRow,
  settings: queries.AgentParams,
  said: { members: string[]; restoredVersion?: number },
): Promise<Versioned<Agent>> {
  scope.db.send(queries.updateAgent, { team: scope.team, id: kept.id, ...settings, by: personOf(scope), at: scope.now });
  await record(scope, agentUpdated, kept.id, { name: settings.name, version: kept.version + 1, ...said });
  return getAgent(scope, kept.id);
}

/** Deletes an agent with its dependent rows. Throws 404, 409 `agent_is_default`, and 412. */
export async function deleteAgent(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  const kept = await lockedAgent(scope, id, expect);
  if (kept.is_default) throw agentProblems.agent_is_default('The agent `main` cannot be deleted. Change it, disable it, or stop it.');
  // Subscribers run before the deletion, so that they can still read the agent.
  await record(scope, agentDeleted, kept.id, { name: kept.name });
  await scope.db.all(queries.deleteAgent, { team: scope.team, id: kept.id });
}

/** Lists the stored versions of an agent, newest first. Throws 404. */
export async function listVersions(scope: ReadScope, id: string): Promise<AgentVersion[]> {
  const { id: agent } = await usableAgent(scope, id);
  return (await scope.db.all(queries.listVersions, { team: scope.team, agent })).map(presentVersion);
}

const settingsOf = (row: queries.AgentRow): queries.AgentParams => ({
  name: row.name,
  description: row.description,
  enabled: row.enabled,
  model: row.model,
  fallbacks: row.fallback_models,
  scopes: row.scopes,
  folders: row.folder_ids,
  allow: row.tools_allow,
  deny: row.tools_deny,
  skills: row.skills,
  approval: row.approval,
  approvalPolicy: row.approval_policy,
  fourEyes: row.four_eyes,
  tokensPerRun: row.max_tokens_per_run,
  tokensPerDay: row.max_tokens_per_day,
  costPerRun: row.max_cost_per_run,
  costPerDay: row.max_cost_per_day,
  steps: row.max_steps,
  seconds: row.timeout_seconds,
});

/** Merges the sent members into the settings. The caller must have each added scope and folder; existing ones may stay. */
async function settled(
  scope: Scope,
  grantorScopes: GrantorScopes,
  kept: queries.AgentParams,
  input: UpdateAgent,
): Promise<queries.AgentParams> {
  const { model = {}, tools = {}, limits = {} } = input;
  const scopes = input.scopes === undefined ? kept.scopes : scopesFor(input.scopes, kept.scopes, grantorScopes);
  const wider = input.folderIds !== undefined || scopes.some((one) => !kept.scopes.includes(one));
  const wanted = input.folderIds === undefined ? kept.folders : input.folderIds;
  return {
    name: input.name === undefined ? kept.name : cleanName(input.name),
    description: input.description === undefined ? kept.description : input.description,
    enabled: input.enabled ?? kept.enabled,
    model: model.primary === undefined ? kept.model : model.primary,
    fallbacks: model.fallbacks ?? kept.fallbacks,
    scopes,
    folders: wider ? await confinement(scope, { wanted, kept: kept.folders ?? [] }, scopes) : kept.folders,
    allow: tools.allow === undefined ? kept.allow : tools.allow,
    deny: tools.deny ?? kept.deny,
    skills: input.skills === undefined ? kept.skills : await knownSkills(scope, input.skills),
    approval: input.approval ?? kept.approval,
    approvalPolicy: input.approvalPolicy === undefined ? kept.approvalPolicy : await knownPolicy(scope, input.approvalPolicy),
    fourEyes: input.fourEyes ?? kept.fourEyes,
    tokensPerRun: limits.maxTokensPerRun ?? kept.tokensPerRun,
    tokensPerDay: limits.maxTokensPerDay ?? kept.tokensPerDay,
    costPerRun: limits.maxCostMicrosPerRun === undefined ? kept.costPerRun : limits.maxCostMicrosPerRun,
    costPerDay: limits.maxCostMicrosPerDay === undefined ? kept.costPerDay : limits.maxCostMicrosPerDay,
    steps: limits.maxSteps ?? kept.steps,
    seconds: limits.timeoutSeconds ?? kept.seconds,
  };
}

function scopesFor(wanted: readonly string[], kept: readonly string[], grantorScopes: GrantorScopes): string[] {
  const scopes = grantable(wanted, kept, grantorScopes);
  const beyond = scopes.filter((one) => !scopesOfAgents.includes(one));
  if (beyond.length === 0) return scopes;
  throw agentProblems.scope_not_for_agents(`Agents cannot have ${beyond.join(', ')}. Remove it from \`scopes\`.`, {
    errors: [{ name: 'scopes', pointer: '/scopes', reason: 'contains a scope that is not available to agents', rule: 'scope' }],
  });
}
