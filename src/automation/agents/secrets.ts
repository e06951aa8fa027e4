/** A possible credential in a text: its kind and position. */
export type Credential = { kind: string; from: number; to: number };

// Each pattern begins with rare letters and has a length limit, so that the scan takes linear time.
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY-----/g],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/g],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20,255}/g],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g],
  ['a Google key', /\bAIza[0-9A-Za-z_-]{35}/g],
  ['a Stripe key', /\b[sr]k_(?:live|test)_[0-9A-Za-z]{16,255}/g],
  ['a key of a model provider', /\bsk-(?:[a-z0-9]{2,12}-){0,3}[A-Za-z0-9_-]{24,255}/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}/g],
  ['a webhook secret', /\bwhsec_[A-Za-z0-9+/=_-]{24,255}/g],
  ['a signed token', /\beyJ[A-Za-z0-9_-]{16,300}\.eyJ[A-Za-z0-9_-]{16,2000}\.[A-Za-z0-9_-]{16,1000}/g],
  ['a URL with a password', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}:[^\s:@/]{3,200}@/gi],
  [
    'a password or key',
    /\b(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token)["']?\s{0,3}[:=]\s{0,3}["']?(?=[^\s"']{0,254}\d)[^\s"'<>${}*]{8,255}/gi,
  ],
];
// Placeholders for a secret.
const placeholder = /example|your|changeme|placeholder|xxxx|\.\.\.|redacted|dummy|env[.[(]/i;

/** Finds possible credentials in a text, by position. It can miss credentials and report harmless text. */
export function credentialsIn(text: string): Credential[] {
  const found = kinds.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([whole]) => !placeholder.test(whole))
      .map((match) => ({ kind, from: match.index, to: match.index + match[0].length })),
  );
  const byPosition = found.toSorted((one, other) => one.from - other.from || other.to - one.to);
  // A match within another match is the same credential under a more general kind.
  let end = -1;
  return byPosition.filter(({ from, to }) => {
    const within = from < end;
    end = Math.max(end, to);
    return !within;
  });
}

/** Returns the line number of a position in a text, starting at 1. */
export function lineOf(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
