import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The error of a password: `rule` is part of the API contract, `reason` is for users. */
export type PasswordError = { rule: 'min_length' | 'max_length' | 'password_common' | 'password_contains_identity'; reason: string };

const maxLength = 128;
const commonest = 10_000;
const shortestListed = 8;
const services = ['chancery'];

let list: Promise<ReadonlySet<string>> | undefined;

/**
 * Returns the 10 000 most common passwords of sufficient length, in lower case. Shorter passwords are removed before the list is cut to 10 000,
 * because OWASP ASVS 6.2.4 counts only passwords that the policy would accept. The source is the ranked list of the package
 * `@zxcvbn-ts/language-common` (MIT). Its file is read at the first use instead of imported, because a module with 40 000 more words would stay in
 * memory.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= readCommonPasswords().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return list;
}

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const file = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json');
  const words: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!Array.isArray(words))
    throw new Error(`The list of common passwords, ${file}, has an unexpected format. Install the packages again.`);
  return new Set(
    words
      .map((word) => String(word).toLowerCase())
      .filter((word) => word.length >= shortestListed)
      .slice(0, commonest),
  );
}

const runs = ['0123456789012345678901234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];

/** Whether a word is a sequence of keys or letters: `12345678`, `abcdefgh`, `87654321`. */
function isRun(word: string): boolean {
  return runs.some((run) => run.includes(word) || run.split('').toReversed().join('').includes(word));
}

/**
 * Checks a password by the policy of NIST SP 800-63B-4 §3.1.1.2: a length in code points and a
 * list of common passwords, without composition rules. Returns undefined for a valid password.
 */
export async function passwordError(
  password: string,
  person: { minLength: number; email: string; firstName: string; lastName: string },
): Promise<PasswordError | undefined> {
  const normal = password.normalize('NFKC');
  const length = Array.from(normal).length;
  if (length < person.minLength) return { rule: 'min_length', reason: `must have at least ${person.minLength} characters` };
  if (length > maxLength) return { rule: 'max_length', reason: `must have at most ${maxLength} characters` };
  const word = normal.toLowerCase();
  const [local = ''] = person.email.split('@');
  const own = [
    person.email,
    local,
    person.firstName,
    person.lastName,
    `${person.firstName}${person.lastName}`,
    `${person.firstName} ${person.lastName}`,
    ...services,
  ];
  if (own.some((name) => name.length > 0 && name.normalize('NFKC').toLowerCase() === word)) {
    return { rule: 'password_contains_identity', reason: 'must not be your own e-mail address or name, or the name of the service' };
  }
  if (new Set(word).size === 1 || isRun(word) || (await commonPasswords()).has(word)) {
    return { rule: 'password_common', reason: 'is too common: choose another' };
  }
  return undefined;
}
