/** What looks like a credential in a text: which kind, and where it begins and ends. */
export type Credential = { kind: string; from: number; to: number };

// Each begins with letters that few other texts have, and has a bound, so that a long text costs no more than its length.
const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY-----/g],
  ['an access key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/g],
  ['a token of GitLab', /\bglpat-[A-Za-z0-9_-]{20,255}/g],
  ['a token of Slack', /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g],
  ['a key of Google', /\bAIza[0-9A-Za-z_-]{35}/g],
  ['a key of Stripe', /\b[sr]k_(?:live|test)_[0-9A-Za-z]{16,255}/g],
  ['a key of a model’s provider', /\bsk-(?:[a-z0-9]{2,12}-){0,3}[A-Za-z0-9_-]{24,255}/g],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}/g],
  ['a webhook’s secret', /\bwhsec_[A-Za-z0-9+/=_-]{24,255}/g],
  ['a signed token', /\beyJ[A-Za-z0-9_-]{16,300}\.eyJ[A-Za-z0-9_-]{16,2000}\.[A-Za-z0-9_-]{16,1000}/g],
  ['an address with a password', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}:[^\s:@/]{3,200}@/gi],
  [
    'a password or key',
    /\b(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token)["']?\s{0,3}[:=]\s{0,3}["']?(?=[^\s"']{0,254}\d)[^\s"'<>${}*]{8,255}/gi,
  ],
];
// What stands where a secret is to be put.
const placeholder = /example|your|changeme|placeholder|xxxx|\.\.\.|redacted|dummy|env[.[(]/i;

/** What looks like credentials in a text, in their order. It may miss some, and may name what is none. */
export function credentialsIn(text: string): Credential[] {
  const found = kinds.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([whole]) => !placeholder.test(whole))
      .map((match) => ({ kind, from: match.index, to: match.index + match[0].length })),
  );
  const byPosition = found.toSorted((one, other) => one.from - other.from || other.to - one.to);
  // What lies within another is the same credential under a wider name.
  let end = -1;
  return byPosition.filter(({ from, to }) => {
    const within = from < end;
    end = Math.max(end, to);
    return !within;
  });
}

/** The number of the line in which a place of a text stands, from 1 on. */
export function lineOf(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
