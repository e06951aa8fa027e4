/**
 * The language check. It counts breaches of the writing guide by area and rule, and fails if a count is above the baseline.
 *
 * - `--write` lowers the baseline to the counts. `--write --raise` also raises it.
 * - `--counts` prints the counts. `--area comments` prints every place in one area. `--advice` adds the rules that never fail.
 * - `--root` checks another folder.
 */
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Counts, countsOf, fallen, keyOf, nextBaseline, readBaseline, risen, writeBaseline } from './baseline.ts';
import { changedLines } from './repository.ts';
import { areas, type Finding } from './rules.ts';
import { baselineFile, scan, type Scan } from './scan.ts';

/** Places that the check prints for one rule. */
const maxPlaces = 20;

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    area: { type: 'string' },
    write: { type: 'boolean', default: false },
    raise: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false },
    advice: { type: 'boolean', default: false },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const printPlace = ({ file, line, rule, message }: Finding): void => print(`${file}:${line}  [${rule}] ${message}`);

/** The findings on changed lines; if there are none, those in changed files; if there are none, all. */
function likelyCauses(findings: readonly Finding[]): { where: string; places: readonly Finding[] } {
  const changed = changedLines(values.root);
  const inFiles = findings.filter(({ file, area }) => area === 'commits' || changed.has(file));
  const onLines = inFiles.filter(
    ({ file, area, line, lastLine }) => area === 'commits' || changed.get(file)?.some(([first, last]) => first <= lastLine && last >= line),
  );
  if (onLines.length > 0) return { where: 'on changed lines', places: onLines };
  return inFiles.length > 0 ? { where: 'in changed files', places: inFiles } : { where: 'in the project', places: findings };
}

function printRisen(key: string, findings: readonly Finding[], [count, allowed]: [count: number, allowed: number]): void {
  const { where, places } = likelyCauses(findings.filter((finding) => keyOf(finding) === key));
  print(`\n${key}: ${count} found, ${allowed} allowed. ${places.length} ${where}:`);
  for (const place of places.slice(0, maxPlaces)) printPlace(place);
  if (places.length > maxPlaces) print(`… and ${places.length - maxPlaces} more`);
}

function printHistory({ commits, completeHistory }: Scan): void {
  if (commits === undefined) print('The Git history is not here: commit subjects are not checked.');
  else print(`${commits} commit subjects checked${completeHistory ? '' : ' (a shallow clone: older ones are not here)'}.`);
}

/** Compares the counts with the baseline, or writes it; the exit code. */
function ratchet(result: Scan, counts: Counts): number {
  const file = join(values.root, baselineFile);
  const before = readBaseline(file);
  const baseline = values.write ? nextBaseline(counts, before, { raise: values.raise, keepCommits: !result.completeHistory }) : before;
  if (values.write) writeBaseline(file, baseline);
  printHistory(result);
  const above = risen(counts, baseline);
  for (const key of above) printRisen(key, result.findings, [counts[key] ?? 0, baseline[key] ?? 0]);
  const below = result.completeHistory ? fallen(counts, baseline) : [];
  if (below.length > 0) print(`Below the baseline: ${below.join('; ')}. Lower it: node scripts/language/lint.ts --write`);
  return above.length === 0 ? 0 : 1;
}

function main(): number {
  if (values.area !== undefined && !areas.some((area) => area === values.area)) {
    process.stderr.write(`--area is one of: ${areas.join(', ')}\n`);
    return 2;
  }
  if (values.raise && !values.write) {
    process.stderr.write('--raise needs --write\n');
    return 2;
  }
  const result = scan(values.root, values.advice);
  const findings = result.findings.filter(({ area }) => values.area === undefined || area === values.area);
  const counts = countsOf(findings);
  if (values.counts) for (const [key, count] of Object.entries(counts)) print(`${String(count).padStart(6)}  ${key}`);
  else if (values.area !== undefined || values.advice) for (const finding of findings) printPlace(finding);
  else return ratchet(result, counts);
  return 0;
}

process.exitCode = main();
