import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

export type FileRow = RowWithout<'agent_file', 'agent_id' | 'key' | 'team_id' | 'updated_at'> & { changed_at: string };
type OfAgent = { team: string; agent: string };
type AgentFileKey = OfAgent & { key: string };
const which = 'team_id = $team AND agent_id = $agent AND key = $key';

/** The files of an agent, by name, at most 200. */
export const listFiles = sqlStatement<OfAgent, Omit<FileRow, 'content'>>(
  `SELECT name, size, version, changed_by, updated_at AS changed_at FROM agent_file WHERE team_id = $team AND agent_id = $agent ORDER BY key LIMIT 200`,
);

export const findFile = sqlStatement<AgentFileKey, FileRow>(
  `SELECT name, content, size, version, changed_by, updated_at AS changed_at FROM agent_file WHERE ${which}`,
);

/** The contents of all files of an agent, with their keys. */
export const readTexts = sqlStatement<OfAgent, { key: string; content: string }>(
  'SELECT key, content FROM agent_file WHERE team_id = $team AND agent_id = $agent ORDER BY key LIMIT 200',
);

/** The number and size of the other files of an agent, and a file whose path conflicts with the key. */
export const besides = sqlStatement<AgentFileKey, { files: number; bytes: number; in_the_way: string | null }>(
  `SELECT count(*)::int AS files, coalesce(sum(size), 0)::int AS bytes,
     min(name) FILTER (WHERE starts_with($key, key || '/') OR starts_with(key, $key || '/')) AS in_the_way
   FROM agent_file WHERE team_id = $team AND agent_id = $agent AND key <> $key`,
);

/** Inserts or updates a file. An existing file keeps the spelling of its name. */
export const putFile = sqlStatement<
  AgentFileKey & { name: string; content: string; size: number; by: string; at: Date },
  { version: number }
>(
  `INSERT INTO agent_file AS f (team_id, agent_id, key, name, content, size, changed_by, updated_at)
   VALUES ($team, $agent, $key, $name, $content, $size, $by, $at)
   ON CONFLICT (team_id, agent_id, key) DO UPDATE SET content = excluded.content, size = excluded.size,
     version = f.version + 1, changed_by = excluded.changed_by, updated_at = excluded.updated_at
   RETURNING version`,
);

export const deleteFile = sqlStatement<AgentFileKey, { name: string }>(`DELETE FROM agent_file WHERE ${which} RETURNING name`);

/** The stored versions of a file, or of all files if `key` is null, newest first. */
export const listVersions = sqlStatement<OfAgent & { key: string | null }, Omit<FileRow, 'content'>>(
  `SELECT f.name, v.version, v.size, v.changed_by, v.changed_at
   FROM agent_file f JOIN agent_file_version v ON v.team_id = $team AND v.agent_id = $agent AND v.key = f.key
   WHERE f.team_id = $team AND f.agent_id = $agent AND ($key::text IS NULL OR f.key = $key)
   ORDER BY v.changed_at DESC, v.key, v.version DESC LIMIT 200`,
);
export const findVersion = sqlStatement<AgentFileKey & { version: number }, FileRow>(
  `SELECT f.name, v.version, v.content, v.size, v.changed_by, v.changed_at
   FROM agent_file f JOIN agent_file_version v ON v.team_id = $team AND v.agent_id = $agent AND v.key = $key AND v.version = $version
   WHERE f.team_id = $team AND f.agent_id = $agent AND f.key = $key`,
);
