/** The maximum number of characters of a result that are stored, and that the model gets. */
export const keptCharacters = 1024 * 1024;
export const shownCharacters = 64 * 1024;

const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{20,}/g,
  /\b(?:ghp|gho|ghs|ghu|github_pat|xox[abpr]|glpat)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*/gi,
  /(?<=:\/\/[^\s/:@]{1,64}:)[^\s/@]{3,128}(?=@)/g,
];

/**
 * Matches a token of three parts (JWT), or a word that starts like one. It consumes the whole word, so that the search does not start again inside it
 * and stays linear.
 */
const signedToken = /\beyJ[\w-]{10,}(\.[\w-]{10,}\.[\w-]{10,})?/g;

/** Replaces text that looks like a credential, so that it is neither stored nor sent to a model. The time is linear in the length of the text. */
export function masked(text: string): string {
  const unsigned = text.replaceAll(signedToken, (word: string, rest?: string) => (rest === undefined ? word : '[masked]'));
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[masked]'), unsigned);
}

/** Returns a result for storage: masked, without NUL characters, which PostgreSQL rejects, and cut to the maximum length. */
export function keptResult(value: unknown): { result: string; total: number | null } {
  const text = masked(typeof value === 'string' ? value : JSON.stringify(value))
    .replaceAll('\0', '\uFFFD')
    .replaceAll('\\u0000', '\\ufffd');
  return text.length <= keptCharacters ? { result: text, total: null } : { result: text.slice(0, keptCharacters), total: text.length };
}

const maxArguments = 256 * 1024;
const deepest = 40;

/** Replaces escapes that PostgreSQL rejects in JSON: NUL and unpaired surrogates. An escaped backslash stays. */
const storable = (json: string): string =>
  json.replaceAll(/\\(?:\\|u(?:0000|d[89a-f][0-9a-f]{2}))/g, (escape) => (escape === '\\\\' ? escape : '\\ufffd'));

/** Parses the arguments that a model wrote. Returns nothing for text that is not a JSON object, is too long, or is nested too deep. */
export function readArguments(text: string): Record<string, unknown> | undefined {
  if (text.length > maxArguments) return undefined;
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || deeperThan(value, deepest)) return undefined;
    return JSON.parse(storable(JSON.stringify(value))) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => deeperThan(one, levels - 1));
}
