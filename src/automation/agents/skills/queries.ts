import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { Finding } from './scan.ts';

export type FileEntry = { path: string; size: number; sha256: string; text: boolean };
/** The metadata and files of a version of a skill. */
type Contents = Row<'agent_skill_version', 'description' | 'license' | 'compatibility' | 'tools' | 'hash' | 'size'> & {
  metadata: Record<string, string>;
  files: FileEntry[];
  findings: Finding[];
};
export type SkillRow = Contents & RowWithout<'agent_skill', 'created_by' | 'team_id'> & { changed_by: string; changed_at: string };
export type VersionRow = Contents & Row<'agent_skill_version', 'version' | 'change' | 'restored_version' | 'changed_by' | 'changed_at'>;

const contents = 'v.description, v.license, v.compatibility, v.metadata, v.tools, v.hash, v.size, v.files, v.findings';
const newest = `agent_skill s JOIN agent_skill_version v ON v.team_id = $team AND v.skill_id = s.id AND v.version = s.version`;
const columns = `s.id, s.name, s.version, s.created_at, v.changed_by, v.changed_at, ${contents}`;
type SkillKey = { team: string } & { skill: string };

/** Serializes changes of the skills of a team and of their agents. */
export const lockSkills = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('agent skills ' || $team, 0)) AS locked",
);

/** The skills of a team by name, without long texts and files. */
export const listSkills = sqlStatement<
  { team: string },
  Omit<SkillRow, 'license' | 'compatibility' | 'metadata' | 'files' | 'findings'> & { file_count: number; finding_count: number }
>(
  `SELECT s.id, s.name, s.version, s.created_at, v.changed_by, v.changed_at, v.description, v.tools, v.hash, v.size,
     jsonb_array_length(v.files) AS file_count, jsonb_array_length(v.findings) AS finding_count
   FROM ${newest} WHERE s.team_id = $team ORDER BY s.name LIMIT 1000`,
);

export const findSkill = sqlStatement<{ team: string } & { name: string }, SkillRow>(
  `SELECT ${columns} FROM ${newest} WHERE s.team_id = $team AND s.name = $name`,
);

/** Returns the names among these that are skills of the team. */
export const namesOf = sqlStatement<{ team: string } & { names: readonly string[] }, { name: string }>(
  'SELECT name FROM agent_skill WHERE team_id = $team AND name = ANY ($names)',
);

/** The agents that have skills. */
export const skillsOfAgents = sqlStatement<{ team: string }, Row<'agent', 'id' | 'skills'>>(
  "SELECT id, skills FROM agent WHERE team_id = $team AND skills <> '{}' ORDER BY id LIMIT 10000",
);

export const insertSkill = sqlStatement<SkillKey & { name: string; by: string; at: Date }, never>(
  `INSERT INTO agent_skill (team_id, id, name, created_by, created_at) VALUES ($team, $skill, $name, $by, $at)`,
);
export const nextVersion = sqlStatement<SkillKey, { version: number }>(
  'UPDATE agent_skill SET version = version + 1 WHERE team_id = $team AND id = $skill RETURNING version',
);
export const deleteSkill = sqlStatement<SkillKey, never>('DELETE FROM agent_skill WHERE team_id = $team AND id = $skill');

/** Stores the content of a file once for all versions that contain it. */
export const putFile = sqlStatement<SkillKey & { sha256: string; content: Buffer; size: number }, never>(
  `INSERT INTO agent_skill_file (team_id, skill_id, sha256, content, size) VALUES ($team, $skill, $sha256, $content, $size)
   ON CONFLICT (team_id, skill_id, sha256) DO NOTHING`,
);

type Version = SkillKey & {
  version: number;
  description: string;
  license: string | null;
  compatibility: string | null;
  metadata: string;
  tools: readonly string[];
  hash: string;
  size: number;
  files: string;
  findings: string;
  change: string;
  restored: number | null;
  by: string;
  at: Date;
};
export const insertVersion = sqlStatement<Version, never>(
  `INSERT INTO agent_skill_version (team_id, skill_id, version, description, license, compatibility, metadata, tools, hash, size, files, findings,
     change, restored_version, changed_by, changed_at)
   VALUES ($team, $skill, $version, $description, $license, $compatibility, $metadata, $tools, $hash, $size, $files, $findings,
     $change, $restored, $by, $at)`,
);
export const dropOldVersions = sqlStatement<SkillKey & { upTo: number }, never>(
  'DELETE FROM agent_skill_version WHERE team_id = $team AND skill_id = $skill AND version <= $upTo',
);
/** Deletes file contents that no version contains. */
export const dropUnnamedFiles = sqlStatement<SkillKey, never>(
  `DELETE FROM agent_skill_file WHERE team_id = $team AND skill_id = $skill AND sha256 NOT IN (
     SELECT f ->> 'sha256' FROM agent_skill_version v CROSS JOIN LATERAL jsonb_array_elements(v.files) f
     WHERE v.team_id = $team AND v.skill_id = $skill)`,
);

const versionColumns = `v.version, v.change, v.restored_version, v.changed_by, v.changed_at, ${contents}`;
export const listVersions = sqlStatement<SkillKey, VersionRow>(
  `SELECT ${versionColumns} FROM agent_skill_version v WHERE v.team_id = $team AND v.skill_id = $skill ORDER BY v.version DESC LIMIT 20`,
);
export const findVersion = sqlStatement<SkillKey & { version: number }, VersionRow>(
  `SELECT ${versionColumns} FROM agent_skill_version v WHERE v.team_id = $team AND v.skill_id = $skill AND v.version = $version`,
);
/** The newest version with this content hash. */
export const findByHash = sqlStatement<{ team: string } & { name: string; hash: string }, { skill: string; files: FileEntry[] }>(
  `SELECT s.id AS skill, v.files FROM agent_skill s JOIN agent_skill_version v ON v.team_id = $team AND v.skill_id = s.id AND v.hash = $hash
   WHERE s.team_id = $team AND s.name = $name ORDER BY v.version DESC LIMIT 1`,
);
export const findContent = sqlStatement<SkillKey & { sha256: string }, { content: Buffer }>(
  'SELECT content FROM agent_skill_file WHERE team_id = $team AND skill_id = $skill AND sha256 = $sha256',
);

/** Removes a skill from all agents. Locks the agents in the order of their ids. */
export const removeSkillFromAgents = sqlStatement<
  { team: string } & { name: string; by: string; at: Date },
  Row<'agent', 'id' | 'name' | 'version'>
>(
  `WITH locked AS (SELECT id FROM agent WHERE team_id = $team AND skills <> '{}' AND $name = ANY (skills) ORDER BY id FOR UPDATE)
   UPDATE agent a SET skills = array_remove(a.skills, $name), changed_by = $by, version = a.version + 1, updated_at = $at
   FROM locked WHERE a.team_id = $team AND a.id = locked.id RETURNING a.id, a.name, a.version`,
);

/** Adds a skill to agents that do not have it. Locks the agents in the order of their ids. */
export const addSkillToAgents = sqlStatement<
  { team: string } & { name: string; agents: readonly string[]; by: string; at: Date },
  Row<'agent', 'id' | 'name' | 'version'> & { skills: number }
>(
  `WITH locked AS (SELECT id FROM agent WHERE team_id = $team AND id = ANY ($agents) ORDER BY id FOR UPDATE)
   UPDATE agent a SET skills = array_append(a.skills, $name), changed_by = $by, version = a.version + 1, updated_at = $at
   FROM locked WHERE a.team_id = $team AND a.id = locked.id RETURNING a.id, a.name, a.version, cardinality(a.skills) AS skills`,
);
