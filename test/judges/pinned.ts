import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const script = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');

/** Returns the version that `.ci/run` assigns to a variable. */
export function pinned(name: string): string {
  const version = new RegExp(`^${name}=(\\S+)$`, 'm').exec(script)?.[1];
  if (version === undefined) throw new Error(`.ci/run does not set ${name}`);
  return version;
}

/** The folder where `.ci/run` installs some tools: their names with `-`, and the version of each one. */
export const installed = (...names: string[]): string =>
  join(homedir(), '.cache', 'chancery', `${names.join('-')}-${names.map(pinned).join('-')}`);

/** Why tests with these tools are skipped, or false if they run. */
export const without = (...names: string[]): string | false =>
  !existsSync(installed(...names)) && `${names.join(' and ')} not found in ${installed(...names)}: see .ci/run`;
