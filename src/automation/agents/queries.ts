import type { ResourceName, PrincipalFilter } from '#access';
import type { Row, RowWithout } from '../../platform/database/row.ts';
import { bySort, changeSorts, type Cursor, sortedBy } from '../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamParams, type TeamScopedId } from '../../platform/database/statement.ts';

/** The stored settings of an agent. */
export type AgentSettings = RowWithout<
  'agent',
  | 'changed_by'
  | 'created_at'
  | 'created_by'
  | 'folder_ids'
  | 'four_eyes'
  | 'id'
  | 'is_default'
  | 'max_cost_per_run'
  | 'skills'
  | 'stop_reason'
  | 'stopped_at'
  | 'stopped_by'
  | 'team_id'
  | 'updated_at'
  | 'version'
> & {
  /** An empty list allows no folder. */
  folder_ids: string[] | null;
  /** The names of the skills. */
  skills: string[];
  /** Whether the person of a run cannot approve its tool calls. */
  four_eyes: boolean;
  /** In millionths of the currency of the operator. */
  max_cost_per_run: number | null;
};

export type AgentRow = AgentSettings &
  Row<
    'agent',
    'id' | 'is_default' | 'stopped_at' | 'stopped_by' | 'stop_reason' | 'created_by' | 'version' | 'created_at' | 'updated_at'
  > & {
    /** Set while all agents of the team are stopped. */
    team_stopped_at: string | null;
    team_stopped_by: string | null;
    team_stop_reason: string | null;
    /** The last applied preset. */
    preset_id: string | null;
  };

const settings = `a.name, a.description, a.enabled, a.model, a.fallback_models, a.scopes, a.folder_ids, a.tools_allow, a.tools_deny, a.skills, a.approval, a.approval_policy,
     a.four_eyes, a.max_tokens_per_run, a.max_tokens_per_day, a.max_cost_per_run, a.max_cost_per_day, a.max_steps, a.timeout_seconds`;
const columns = `a.id, ${settings}, a.is_default, a.stopped_at, a.stopped_by, a.stop_reason, a.created_by, a.version, a.created_at, a.updated_at,
     t.stopped_at AS team_stopped_at, t.stopped_by AS team_stopped_by, t.reason AS team_stop_reason, p.preset_id`;
const teamStop = `LEFT JOIN agent_team_stop t ON t.team_id = $team
     LEFT JOIN agent_preset p ON p.team_id = $team AND p.agent_id = a.id`;

/** The default agent, which has the alias `main`. */
export const findMain = sqlStatement<TeamParams, { id: string }>('SELECT id FROM agent WHERE team_id = $team AND is_default');

/** An agent with the relations of the caller to it. */
export const reachAgent = sqlStatement<TeamScopedId & PrincipalFilter, AgentRow & { relations: string[] }>(
  `SELECT ${columns}, access_relations($team, $caller, $person, 'assistant', a.id, NULL) AS relations FROM agent a ${teamStop} WHERE a.team_id = $team AND a.id = $id`,
  { relations: 'the function returns an array' },
);

/** The names of agents, with the relations of the caller to them. */
export const agentsNamed = sqlStatement<TeamParams & { ids: readonly string[] } & PrincipalFilter, ResourceName & { relations: string[] }>(
  `SELECT a.id, a.name, access_relations($team, $caller, $person, 'assistant', a.id, NULL) AS relations
   FROM agent a WHERE a.team_id = $team AND a.id = ANY ($ids::uuid[])`,
  { relations: 'the function returns an array' },
);

/** Locks an agent for a change. */
export const lockAgent = sqlStatement<TeamScopedId, { id: string }>('SELECT id FROM agent WHERE team_id = $team AND id = $id FOR UPDATE');

type List = TeamParams & Cursor & { since: string | null; limit: number; all: boolean; viewing: string[] } & PrincipalFilter;
/** The agents that the caller can see. `sort_time` and the id are the cursor of the next page. */
export const listAgents = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'a');
  return sqlStatement<List, AgentRow & { sort_time: string }>(
    `SELECT ${columns}, ${key[0]} AS sort_time FROM agent a ${teamStop}
     WHERE a.team_id = $team AND ${after} AND ($all OR a.id IN (SELECT access_resources($team, $caller, $person, 'assistant', $viewing::text[]))) AND ($since::timestamptz IS NULL OR a.updated_at >= $since)
     ORDER BY ${order} LIMIT $limit + 1`,
  );
});

/** The settings of an agent as statement parameters. */
export type AgentParams = {
  name: string;
  description: string | null;
  enabled: boolean;
  model: string | null;
  fallbacks: readonly string[];
  scopes: readonly string[];
  folders: readonly string[] | null;
  allow: readonly string[] | null;
  deny: readonly string[];
  skills: readonly string[];
  approval: string;
  approvalPolicy: string | null;
  fourEyes: boolean;
  tokensPerRun: number;
  tokensPerDay: number;
  costPerRun: number | null;
  costPerDay: number | null;
  steps: number;
  seconds: number;
};
type Written = TeamParams & AgentParams & { id: string; by: string; at: Date };

export const insertAgent = sqlStatement<Written, never>(
  `INSERT INTO agent (team_id, id, name, description, enabled, model, fallback_models, scopes, folder_ids, tools_allow, tools_deny, skills, approval, approval_policy,
     four_eyes, max_tokens_per_run, max_tokens_per_day, max_cost_per_run, max_cost_per_day, max_steps, timeout_seconds, created_by, changed_by, created_at, updated_at)
   VALUES ($team, $id, $name, $description, $enabled, $model, $fallbacks, $scopes, $folders, $allow, $deny, $skills, $approval, $approvalPolicy,
     $fourEyes, $tokensPerRun, $tokensPerDay, $costPerRun, $costPerDay, $steps, $seconds, $by, $by, $at, $at)`,
);

export const updateAgent = sqlStatement<Written, never>(
  `UPDATE agent SET name = $name, description = $description, enabled = $enabled, model = $model, fallback_models = $fallbacks,
     scopes = $scopes, folder_ids = $folders, tools_allow = $allow, tools_deny = $deny, skills = $skills, approval = $approval, approval_policy = $approvalPolicy,
     four_eyes = $fourEyes, max_tokens_per_run = $tokensPerRun, max_tokens_per_day = $tokensPerDay,
     max_cost_per_run = $costPerRun, max_cost_per_day = $costPerDay, max_steps = $steps, timeout_seconds = $seconds,
     changed_by = $by, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

export const deleteAgent = sqlStatement<{ team: string; id: string }, never>('DELETE FROM agent WHERE team_id = $team AND id = $id');

/** A stored version: the row of the agent as JSON, with the actor and time of the change. */
export type VersionRow = Row<'agent_version', 'version' | 'changed_by' | 'changed_at'> & { agent: AgentSettings };
const versionColumns = 'version, agent, changed_by, changed_at';

/** The versions of an agent, newest first. A trigger keeps 100. */
export const listVersions = sqlStatement<{ team: string; agent: string }, VersionRow>(
  `SELECT ${versionColumns} FROM agent_version WHERE team_id = $team AND agent_id = $agent ORDER BY version DESC LIMIT 100`,
);
export const findVersion = sqlStatement<{ team: string; agent: string; version: number }, VersionRow>(
  `SELECT ${versionColumns} FROM agent_version WHERE team_id = $team AND agent_id = $agent AND version = $version`,
);

type Stop = { team: string; by: string; reason: string; at: Date };
/** Stops an agent. If it is already stopped, the first stop stays unchanged. */
export const stopAgent = sqlStatement<Stop & { id: string }, { id: string }>(
  `UPDATE agent SET stopped_at = $at, stopped_by = $by, stop_reason = $reason
   WHERE team_id = $team AND id = $id AND stopped_at IS NULL RETURNING id`,
);
export const startAgent = sqlStatement<{ team: string; id: string }, { id: string }>(
  `UPDATE agent SET stopped_at = NULL, stopped_by = NULL, stop_reason = NULL
   WHERE team_id = $team AND id = $id AND stopped_at IS NOT NULL RETURNING id`,
);

/** Stops all agents of a team. If they are already stopped, the first stop stays unchanged. */
export const stopTeam = sqlStatement<Stop, { team_id: string }>(
  `INSERT INTO agent_team_stop (team_id, stopped_at, stopped_by, reason) VALUES ($team, $at, $by, $reason)
   ON CONFLICT (team_id) DO NOTHING RETURNING team_id`,
);
export const startTeam = sqlStatement<TeamParams, { team_id: string }>(
  'DELETE FROM agent_team_stop WHERE team_id = $team RETURNING team_id',
);
export const findTeamStop = sqlStatement<TeamParams, RowWithout<'agent_team_stop', 'team_id'>>(
  'SELECT stopped_at, stopped_by, reason FROM agent_team_stop WHERE team_id = $team',
);
