/** The rules for identifiers, names in SQL and file names. */
import { basename } from 'node:path';
import type { Name } from './modules.ts';
import { type Finding, nameRules, type NameRules } from './rules.ts';
import { sqlNames } from './sql.ts';

/** A type name that more files declare has several meanings. */
const maxFilesOfType = 3;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Whether the contract, a standard, the released API or an exception fixes the name. */
const isFixed = (name: string, { allowed, contract, released }: NameRules): boolean =>
  [allowed, contract, released].some((fixed) => fixed.includes(name));

function bannedWord(name: string, { words }: NameRules): string | undefined {
  const word = wordsOf(name).find((part) => Object.hasOwn(words, part));
  return word === undefined ? undefined : `${name}: for “${word}” write ${words[word]}`;
}

function broken({ name, kind, file }: Name, rules: NameRules): [rule: string, message: string] | undefined {
  if (isFixed(name, rules)) return undefined;
  if (Object.hasOwn(rules.names, name)) return ['name', `${name}: write ${rules.names[name]}`];
  const isMember = kind === 'member' || kind === 'key';
  const pattern = rules.patterns.find(
    ({ match, files, members }) =>
      new RegExp(match).test(name) && (files === undefined || new RegExp(files).test(file)) && !(members === false && isMember),
  );
  if (pattern) return ['prefix or suffix', `${name}: write ${pattern.use}`];
  const message = bannedWord(name, rules);
  return message === undefined ? undefined : ['word', message];
}

const place = (file: string, line: number): Pick<Finding, 'file' | 'line' | 'lastLine'> => ({ file, line, lastLine: line });

/** Names that a rule bans. A key of an object literal is a use, not a declaration, where a type declares that member. */
export function nameFindings(names: readonly Name[], rules: NameRules = nameRules): Finding[] {
  const declared = new Set(names.filter(({ kind }) => kind === 'member').map(({ name }) => name));
  return names
    .filter(({ kind, name }) => kind !== 'key' || !declared.has(name))
    .flatMap((name): Finding[] => {
      const [rule, message] = broken(name, rules) ?? [];
      return rule === undefined || message === undefined ? [] : [{ area: 'identifiers', rule, ...place(name.file, name.line), message }];
    });
}

/** Types that too many files declare under one name: each file beyond the limit counts once. */
export function repeatedTypes(names: readonly Name[], { sharedTypeNames }: NameRules = nameRules): Finding[] {
  const types = names.filter(({ kind, name, file }) => kind === 'type' && !sharedTypeNames.includes(name) && !file.endsWith('.test.ts'));
  return [...Map.groupBy(types, ({ name }) => name)].flatMap(([name, declarations]) => {
    const first = [...new Map(declarations.map((declaration) => [declaration.file, declaration])).values()];
    return first.slice(maxFilesOfType).map(({ file, line }): Finding => ({
      area: 'identifiers',
      rule: `type in over ${maxFilesOfType} files`,
      ...place(file, line),
      message: `${name} is declared in ${first.length} files: name it by its content`,
    }));
  });
}

/** The distinct names of a migration that have a banned word. */
export function sqlNameFindings(file: string, sql: string, rules: NameRules = nameRules): Finding[] {
  return sqlNames(sql).flatMap(({ name, line }): Finding[] => {
    const message = isFixed(name, rules) ? undefined : bannedWord(name, rules);
    return message === undefined ? [] : [{ area: 'identifiers', rule: 'word in SQL', ...place(file, line), message }];
  });
}

/** Files with a banned word in the name. The folder does not count. */
export function fileFindings(files: readonly string[], rules: NameRules = nameRules): Finding[] {
  return files.flatMap((file): Finding[] => {
    const message = bannedWord(basename(file), rules);
    return message === undefined ? [] : [{ area: 'files', rule: 'name', ...place(file, 1), message }];
  });
}
