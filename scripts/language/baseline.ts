/** The ratchet: counts by area and rule, and the highest count that each may have. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Finding } from './rules.ts';

/** Counts by key, such as `comments: term`. A key that is absent counts 0. */
export type Counts = Record<string, number>;

export const keyOf = ({ area, rule }: Pick<Finding, 'area' | 'rule'>): string => `${area}: ${rule}`;

const sorted = (counts: Counts): Counts => Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));

export function countsOf(findings: readonly Finding[]): Counts {
  const counts: Counts = {};
  for (const finding of findings) counts[keyOf(finding)] = (counts[keyOf(finding)] ?? 0) + 1;
  return sorted(counts);
}

export function readBaseline(file: string): Counts {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

export function writeBaseline(file: string, counts: Counts): void {
  writeFileSync(file, `${JSON.stringify(sorted(counts), null, 2)}\n`);
}

/** The keys whose count is above the baseline. */
export function risen(counts: Counts, baseline: Counts): string[] {
  return Object.keys(counts).filter((key) => (counts[key] ?? 0) > (baseline[key] ?? 0));
}

/** The keys whose count is below the baseline. */
export function fallen(counts: Counts, baseline: Counts): string[] {
  return Object.keys(baseline).filter((key) => (counts[key] ?? 0) < (baseline[key] ?? 0));
}

/** The next baseline: each count at most as high as before, or exactly as counted if `raise` is set. */
export function nextBaseline(counts: Counts, baseline: Counts, { raise, keepCommits }: { raise: boolean; keepCommits: boolean }): Counts {
  const keys = new Set([...Object.keys(counts), ...Object.keys(baseline)]);
  const next = [...keys].map((key): [string, number] => {
    const [count, before] = [counts[key] ?? 0, baseline[key] ?? 0];
    if (keepCommits && key.startsWith('commits: ')) return [key, before];
    return [key, raise ? count : Math.min(count, before)];
  });
  return Object.fromEntries(next.filter(([, count]) => count > 0));
}
