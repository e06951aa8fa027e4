import type { AgentRow, AgentSettings, VersionRow } from './queries.ts';
import type { Agent, AgentVersion, Configuration, Share } from './schemas.ts';
import { type GrantRow, principalOf } from '#access';

function presentSettings(row: AgentSettings): Configuration {
  return {
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    enabled: row.enabled,
    model: { ...(row.model === null ? {} : { primary: row.model }), fallbacks: row.fallback_models },
    scopes: row.scopes,
    ...(row.folder_ids === null ? {} : { folderIds: row.folder_ids }),
    tools: { ...(row.tools_allow === null ? {} : { allow: row.tools_allow }), deny: row.tools_deny },
    skills: row.skills,
    approval: row.approval,
    // A version from before policies has no such member.
    ...((row.approval_policy ?? null) === null ? {} : { approvalPolicy: row.approval_policy as string }),
    fourEyes: row.four_eyes,
    limits: {
      maxTokensPerRun: row.max_tokens_per_run,
      maxTokensPerDay: row.max_tokens_per_day,
      ...(row.max_cost_per_run === null ? {} : { maxCostMicrosPerRun: row.max_cost_per_run }),
      ...(row.max_cost_per_day === null ? {} : { maxCostMicrosPerDay: row.max_cost_per_day }),
      maxSteps: row.max_steps,
      timeoutSeconds: row.timeout_seconds,
    },
  };
}

/** Builds the response of an agent. A stop of all agents of the team takes precedence over a stop of this agent. */
export function presentAgent(row: AgentRow): Agent {
  const at = row.team_stopped_at ?? row.stopped_at;
  const by = row.team_stopped_by ?? row.stopped_by;
  const everyAgent = row.team_stopped_at !== null;
  const reason = everyAgent ? row.team_stop_reason : row.stop_reason;
  return {
    id: row.id,
    ...presentSettings(row),
    isDefault: row.is_default,
    ...(row.preset_id === null ? {} : { presetId: row.preset_id }),
    ...(at === null || by === null || reason === null ? {} : { stopped: { at, by, reason, everyAgent } }),
    ...(row.created_by === null ? { createdByType: 'system' } : { createdBy: row.created_by, createdByType: 'user' }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const presentVersion = (row: VersionRow): AgentVersion => ({
  version: row.version,
  ...(row.changed_by === null ? {} : { changedBy: row.changed_by }),
  changedAt: row.changed_at,
  agent: presentSettings(row.agent),
});

export const presentShare = (agentId: string, row: GrantRow): Share => ({
  id: row.id,
  agentId,
  ...principalOf(row),
  access: 'use',
  grantedBy: row.granted_by,
  createdAt: row.created_at,
});
