import type { Tool } from '../../../platform/tools.ts';
import { hasTool } from '../catalogue.ts';
import type { AgentRow } from '../queries.ts';
import { type Bundle, summed } from './bundle.ts';
import type { SkillRow, VersionRow } from './queries.ts';
import type { Skill, SkillEntry, SkillVersions } from './schemas.ts';

/** The data that a response about a skill also needs: all tools, the agents with skills, and the requested agent. */
export type Beside = { tools: readonly Tool[]; agents: readonly { id: string; skills: string[] }[]; agent?: AgentRow };

/** Returns the tools of a skill that do not exist, or that the agent does not have. */
export function missingTools(
  wanted: readonly string[],
  tools: readonly Tool[],
  agent: Parameters<typeof hasTool>[0] | undefined,
): string[] {
  const has = new Set(tools.filter((tool) => agent === undefined || hasTool(agent, tool)).map(({ name }) => name));
  return wanted.filter((name) => !has.has(name));
}

type Listed = Pick<SkillRow, 'name' | 'description' | 'version' | 'tools' | 'hash' | 'size'> & {
  file_count: number;
  finding_count: number;
} & Partial<Pick<SkillRow, 'id' | 'created_at' | 'changed_at' | 'changed_by'>>;

/** Builds the list entry of a skill. Built-in skills have no identifier. */
export function presentEntry(row: Listed, { tools, agents, agent }: Beside): SkillEntry {
  const missing = missingTools(row.tools, tools, agent);
  return {
    ...(row.id === undefined ? {} : { id: row.id }),
    name: row.name,
    description: row.description,
    source: row.id === undefined ? 'builtin' : 'team',
    version: row.version,
    hash: row.hash,
    size: row.size,
    fileCount: row.file_count,
    findingCount: row.finding_count,
    requires: row.tools,
    missing,
    eligible: missing.length === 0,
    agents: agents.filter(({ skills }) => skills.includes(row.name)).map(({ id }) => id),
    ...(row.created_at === undefined ? {} : { createdAt: row.created_at }),
    ...(row.changed_at === undefined ? {} : { updatedAt: row.changed_at }),
    ...(row.changed_by === undefined ? {} : { updatedBy: row.changed_by }),
  };
}

/** A stored or built-in skill. */
export type Whole = Omit<SkillRow, 'id' | 'created_at' | 'changed_at' | 'changed_by'> &
  Partial<Pick<SkillRow, 'id' | 'created_at' | 'changed_at' | 'changed_by'>>;

/** Builds the response for one skill. */
export function presentSkill(row: Whole, beside: Beside): Skill {
  return {
    ...presentEntry({ ...row, file_count: row.files.length, finding_count: row.findings.length }, beside),
    ...(row.license === null ? {} : { license: row.license }),
    ...(row.compatibility === null ? {} : { compatibility: row.compatibility }),
    metadata: row.metadata,
    files: row.files.map(({ path, size, sha256, text }) => ({ path, size, sha256, text })),
    findings: row.findings,
  };
}

/** Converts a built-in skill to the type of a stored skill. */
export const asKept = ({ says, files, findings }: Bundle): Whole => ({
  name: says.name,
  version: 1,
  ...contentsOf(says),
  ...summed(files),
  files,
  findings,
});

/** The metadata of a SKILL.md. */
export type Says = Pick<SkillRow, 'description' | 'metadata' | 'tools'> & { license?: string | null; compatibility?: string | null };

export const contentsOf = ({ description, license = null, compatibility = null, metadata, tools }: Says) => ({
  description,
  license,
  compatibility,
  metadata,
  tools,
});

export const presentVersion = (row: VersionRow): SkillVersions['versions'][number] => ({
  version: row.version,
  change: row.change,
  ...(row.restored_version === null ? {} : { restoredVersion: row.restored_version }),
  description: row.description,
  hash: row.hash,
  size: row.size,
  files: row.files.map(({ path }) => path),
  findings: row.findings,
  changedBy: row.changed_by,
  changedAt: row.changed_at,
});
