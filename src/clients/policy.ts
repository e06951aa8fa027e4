/** The scopes among `wanted` that `held` does not have: nobody gives what they do not hold. */
export function scopesBeyond(wanted: readonly string[], held: ReadonlySet<string>): string[] {
  return wanted.filter((scope) => !held.has(scope));
}
