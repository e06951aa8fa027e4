import { type DomainConfig, domains } from './domains.ts';
import { type PlatformConfig, platformSettings, readPlatformConfig } from './platform/config.ts';
import { type Environment, type Settings, valuesOf } from './platform/settings.ts';

export { ConfigError } from './platform/settings.ts';

/** Every setting read and checked, with what follows from one another decided. */
export type Config = PlatformConfig & DomainConfig;

const settings: Settings = Object.assign({ ...platformSettings }, ...domains.map((domain) => domain.settings));

/**
 * Reads the settings from an environment. Throws a {@link ConfigError} naming the first that is wrong; the value itself
 * is not repeated, since it may be a secret.
 */
export function readConfig(environment: Environment): Config {
  const platform = readPlatformConfig(environment);
  // What is read is what the settings say: the manifest's types tie the two together.
  const settled = domains.map((domain) => domain.settle(valuesOf(domain.settings, environment) as never, platform));
  return Object.assign({ ...platform }, ...settled) as Config;
}

/** The settings as `doctor` and the documentation list them. */
export function describeSettings(): { name: string; fallback: string; help: string; secret: boolean }[] {
  return Object.entries(settings).map(([name, { fallback, help, secret = false }]) => ({
    name,
    fallback: fallback ?? '',
    help,
    secret,
  }));
}
