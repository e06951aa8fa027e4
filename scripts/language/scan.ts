/** Applies every rule to every file of the project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { subjectFindings } from './commits.ts';
import { markdownProse } from './markdown.ts';
import { type Name, readModule } from './modules.ts';
import { fileFindings, nameFindings, repeatedTypes, sqlNameFindings } from './names.ts';
import { proseFindings } from './prose.ts';
import { commitsSince, filesOf } from './repository.ts';
import type { Finding } from './rules.ts';
import { sqlComments } from './sql.ts';

/** The file that introduced the check: the subjects of later commits are checked. */
export const baselineFile = 'scripts/language/baseline.json';

/** Generated files. The check reads their sources. */
const generated =
  /^(docs\/reference\/generated\/.*|schema\.sql|src\/platform\/database\/tables\.ts|lib\/.*|packages\/client\/api\.ts|test\/fixtures\/other-client\/.*)$/;

export interface Scan {
  findings: Finding[];
  /** How many commits were checked; `undefined` without a history. */
  commits: number | undefined;
  /** Whether the history is complete since the check was introduced. */
  completeHistory: boolean;
}

/** The findings of one file, and the names that it declares. */
export function scanFile(file: string, text: string, advice = false): { findings: Finding[]; names: Name[] } {
  if (file.endsWith('.md')) return { findings: proseFindings('docs', { file, line: 1, text: markdownProse(text) }, advice), names: [] };
  if (file.endsWith('.sql')) {
    const comments = sqlComments(file, text).flatMap((passage) => proseFindings('comments', passage, advice));
    return { findings: [...comments, ...sqlNameFindings(file, text)], names: [] };
  }
  if (!/\.m?[jt]sx?$/.test(file)) return { findings: [], names: [] };
  const { comments, strings, names } = readModule(file, text);
  const findings = [
    ...comments.flatMap((passage) => proseFindings('comments', passage, advice)),
    ...strings.flatMap((passage) => proseFindings('strings', passage, advice)),
  ];
  return { findings, names };
}

/** Every finding in the project at `root`. `advice` adds the rules that never fail the check. */
export function scan(root: string, advice = false): Scan {
  const files = filesOf(root).filter((file) => !generated.test(file));
  const scanned = files
    .filter((file) => /\.(md|sql|m?[jt]sx?)$/.test(file))
    .map((file) => scanFile(file, readFileSync(join(root, file), 'utf8'), advice));
  const names = scanned.flatMap((one) => one.names);
  const history = commitsSince(root, baselineFile);
  const findings = [
    ...scanned.flatMap((one) => one.findings),
    ...nameFindings(names),
    ...repeatedTypes(names),
    ...fileFindings(files),
    ...(history?.commits ?? []).flatMap((commit) => subjectFindings(commit)),
  ];
  return { findings, commits: history?.commits.length, completeHistory: history?.complete ?? false };
}
