/** Characters of a result that are kept, and that the model is shown. */
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
 * A token of three parts, or a word that only begins like one: that is matched as a whole too, so that what follows within it is not looked
 * at once more from each place at which a token could begin.
 */
const signedToken = /\beyJ[\w-]{10,}(\.[\w-]{10,}\.[\w-]{10,})?/g;

/** The same text without what looks like a credential: it is neither kept nor shown to a model. Takes time with the length of the text alone. */
export function masked(text: string): string {
  const unsigned = text.replaceAll(signedToken, (word: string, rest?: string) => (rest === undefined ? word : '[masked]'));
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[masked]'), unsigned);
}

/** A result as it is kept: masked, without the NUL that the database refuses, cut to what is kept. */
export function keptResult(value: unknown): { result: string; total: number | null } {
  const text = masked(typeof value === 'string' ? value : JSON.stringify(value))
    .replaceAll('\0', '\uFFFD')
    .replaceAll('\\u0000', '\\ufffd');
  return text.length <= keptCharacters ? { result: text, total: null } : { result: text.slice(0, keptCharacters), total: text.length };
}

const maxArguments = 256 * 1024;
const deepest = 40;

/** JSON without what the database refuses to keep as such: NUL, and halves of characters. A backslash that is meant is passed over. */
const storable = (json: string): string =>
  json.replaceAll(/\\(?:\\|u(?:0000|d[89a-f][0-9a-f]{2}))/g, (escape) => (escape === '\\\\' ? escape : '\\ufffd'));

/** What a model has written as the arguments of a call; nothing where it is no JSON object, too long, or nested too deep. */
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
