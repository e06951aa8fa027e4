import { isDeepStrictEqual } from 'node:util';
import type { GrantorScopes } from '#clients';
import { notFound } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { lockedAgent, personOf } from '../access.ts';
import { presetApplied } from '../events.ts';
import { readFileName, readTexts, writeFile } from '../files/index.ts';
import { plainScopes } from '../policy.ts';
import { updateAgent } from '../service.ts';
import { lockSkillChanges } from '../skills/index.ts';
import { presets } from './definitions.ts';
import { type Applied, findApplied, putApplied } from './queries.ts';
import type { Outcome, Preset, PresetSummary } from './schemas.ts';

export const listPresets = (): PresetSummary[] => presets.map(({ id, name, description }) => ({ id, name, description }));

/** Returns a preset. Throws 404. */
export function getPreset(id: string): Preset {
  const found = presets.find((preset) => preset.id === id);
  if (!found) throw notFound('preset');
  return found;
}

/** The initial values of the members that presets set. */
const unset: Record<string, unknown> = { description: null, scopes: plainScopes, tools: { allow: null }, skills: [], approval: 'mutating' };
const anyVersion = () => undefined;

/**
 * Applies a preset to an agent. It compares each text and member with the last applied preset and the new one. Changes by users stay, and `conflicts`
 * lists them. Throws 403 `scope_not_held` and 404.
 */
export async function applyPreset(
  scope: Scope,
  grantorScopes: GrantorScopes,
  input: { presetId: string; agentId?: string },
): Promise<Outcome> {
  const preset = getPreset(input.presetId);
  await lockSkillChanges(scope);
  const agent = await lockedAgent(scope, input.agentId ?? 'main');
  const before = await scope.db.first(findApplied, { team: scope.team, agent: agent.id });
  const settings = mergedSettings(preset, before?.applied, {
    description: agent.description,
    scopes: agent.scopes,
    tools: { allow: agent.tools_allow },
    skills: agent.skills,
    approval: agent.approval,
  });
  const files = mergedFiles(preset, before?.applied, await readTexts(scope, agent.id));
  if (settings.taken.length > 0) {
    const given = Object.fromEntries(Object.entries(preset.settings).filter(([name]) => settings.taken.includes(name)));
    await updateAgent(scope, grantorScopes, agent.id, given, anyVersion);
  }
  for (const { name, content } of files.taken) await writeFile(scope, agent.id, { fileName: name, content }, anyVersion);
  const applied: Applied = {
    files: Object.fromEntries(preset.files.map(({ name, content }) => [name, content])),
    settings: preset.settings,
  };
  const by = personOf(scope);
  const at = { team: scope.team, agent: agent.id, preset: preset.id, applied: JSON.stringify(applied), by, at: scope.now };
  await scope.db.all(putApplied, at);
  const conflicts = [
    ...settings.kept.map((name) => ({ kind: 'setting' as const, name })),
    ...files.kept.map((name) => ({ kind: 'file' as const, name })),
  ];
  await recordAudit(scope, presetApplied, agent.id, { presetId: preset.id, kept: conflicts.map(({ name }) => name) });
  return { agentId: agent.id, presetId: preset.id, files: files.taken.map(({ name }) => name), settings: settings.taken, conflicts };
}

/** Returns the members to set, and the members that a user changed. */
function mergedSettings({ settings }: Preset, last: Applied | undefined, current: Record<string, unknown>) {
  const differing = Object.entries(settings).filter(([name, wanted]) => !isDeepStrictEqual(current[name], wanted));
  const untouched = ([name]: [string, unknown]) => isDeepStrictEqual(current[name], last?.settings[name] ?? unset[name]);
  return {
    taken: differing.filter(untouched).map(([name]) => name),
    kept: differing.filter((one) => !untouched(one)).map(([name]) => name),
  };
}

/** Returns the files to write, and the files that a user changed. */
function mergedFiles({ files }: Preset, last: Applied | undefined, current: ReadonlyMap<string, string>) {
  const now = (name: string) => {
    const read = readFileName(name);
    return 'key' in read ? current.get(read.key) : undefined;
  };
  const differing = files.filter(({ name, content }) => now(name) !== content);
  const untouched = ({ name }: { name: string }) => now(name) === undefined || now(name) === last?.files[name];
  return { taken: differing.filter(untouched), kept: differing.filter((one) => !untouched(one)).map(({ name }) => name) };
}
