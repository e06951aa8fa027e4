import { type DomainConfig, domains } from './domains.ts';
import { type PlatformConfig, platformSettings, readPlatformConfig } from './platform/config.ts';
import { type Environment, type Settings, valuesOf } from './platform/settings.ts';

export { ConfigError } from './platform/settings.ts';

/** All settings, validated, including those that depend on other settings. */
export type Config = PlatformConfig & DomainConfig;

const settings: Settings = Object.assign({ ...platformSettings }, ...domains.map((domain) => domain.settings));

/**
 * Reads the settings from an environment. Throws a {@link ConfigError} that names the first invalid setting. The message does not
 * contain the value, because it can be a secret.
 */
export function readConfig(environment: Environment): Config {
  const platform = readPlatformConfig(environment);
  // The type of the manifest guarantees that `settle` accepts the values of its settings.
  const settled = domains.map((domain) => domain.settle(valuesOf(domain.settings, environment) as never, platform));
  return Object.assign({ ...platform }, ...settled) as Config;
}

/** Returns the settings for `doctor` and the documentation. */
export function describeSettings(): { name: string; fallback: string; help: string; secret: boolean }[] {
  return Object.entries(settings).map(([name, { fallback, help, secret = false }]) => ({
    name,
    fallback: fallback ?? '',
    help,
    secret,
  }));
}
