import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';

/** Thrown for an invalid setting. The message is one sentence that names the setting. */
export class ConfigError extends Error {}

/** A setting: its purpose, its default as text, and its parser. The parser throws a message without the name of the setting. */
export type Setting<T> = {
  help: string;
  fallback: string | undefined;
  read: (text: string) => T;
  /** Whether the value is secret. Even `doctor` does not show it. */
  secret?: true;
};

export function setting<T>(help: string, fallback: string | undefined, read: (text: string) => T): Setting<T> {
  return { help, fallback, read };
}

/** Declares a setting whose value is or contains a secret, such as a URL with a password. `NAME_FILE` can name a file with the value. */
export function secret<T>(help: string, fallback: string | undefined, read: (text: string) => T): Setting<T> {
  return { help, fallback, read, secret: true };
}

export function integer(min: number, max: number) {
  return (value: string) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(number) || number < min || number > max) throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

/** Settings by the names of their environment variables. The name or the help states the unit of a duration. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type ValuesOf<S extends Settings> = { [Name in keyof S]: ReturnType<S[Name]['read']> };

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings from the environment. Throws a {@link ConfigError} that names the first invalid setting. */
export function valuesOf<S extends Settings>(declared: S, environment: Environment): ValuesOf<S> {
  const read = Object.entries(declared).map(([name, { fallback, read: reader, secret: isSecret }]) => {
    const given = environment[name]?.trim() ?? '';
    const file = isSecret ? environment[fileSetting(name)]?.trim() : undefined;
    if (given && file) throw new ConfigError(`${name} and ${fileSetting(name)} are both set. Set only one of them.`);
    const text = file ? readSecretFile(fileSetting(name), file) : given;
    try {
      return [name, reader(text || (fallback ?? ''))];
    } catch (error) {
      const source = file ? `${name}, read from ${file},` : name;
      throw new ConfigError(`${source} ${error instanceof Error ? error.message : 'is invalid'}.`);
    }
  });
  return Object.fromEntries(read) as ValuesOf<S>;
}

/** Returns the name of the setting that names a file with the value of a secret setting. */
export const fileSetting = (name: string) => `${name}_FILE`;

/** Reads a file without the newline at its end. */
function readSecretFile(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new ConfigError(`${name} names the file ${file}, which cannot be read${codeOf(error)}.`);
  }
  if (text.trim() === '') throw new ConfigError(`${name} names the file ${file}, which is empty.`);
  return text;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? `: ${String(error.code)}` : '';
}

export const optional = (value: string) => (value === '' ? undefined : value);

export function oneOf<const Choices extends string>(...choices: Choices[]) {
  return (value: string): Choices => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

export const flag = (value: string): boolean => {
  if (['true', 'on', '1', 'yes'].includes(value)) return true;
  if (['false', 'off', '0', 'no'].includes(value)) return false;
  throw new Error('must be true or false');
};

/** Parses a flag whose default depends on another setting. */
export const optionalFlag = (value: string) => (value === '' ? undefined : flag(value));

/** Parses name servers, each as `address` or `address:port`. */
export function nameServers(value: string): string[] {
  const servers = list(value);
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new Error('must be IP addresses of name servers, such as 10.0.0.2 or 10.0.0.2:5353, separated by commas');
  }
  return servers;
}

const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Parses a list separated by commas. Throws `sentence` if an item fails the check. */
export function listOf(is: (item: string) => boolean, sentence: string) {
  return (value: string): string[] => {
    const items = list(value);
    if (!items.every(is)) throw new Error(sentence);
    return items;
  };
}

export const isBlock = (item: string) => ipaddr.isValidCIDR(item);
export const isAddress = (item: string) => ipaddr.IPv4.isValidFourPartDecimal(item) || ipaddr.IPv6.isValid(item);
