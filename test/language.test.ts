/** Tests each rule of the language check (`scripts/language`), and runs the program in test repositories. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { countsOf } from '../scripts/language/baseline.ts';
import { subjectFindings } from '../scripts/language/commits.ts';
import { fileFindings, nameFindings, repeatedTypes } from '../scripts/language/names.ts';
import { nameRules } from '../scripts/language/rules.ts';
import { baselineFile, scanFile } from '../scripts/language/scan.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Returns the counts of one file by area and rule. */
function countsIn(file: string, text: string): Record<string, number> {
  const { findings, names } = scanFile(file, text);
  return countsOf([...findings, ...nameFindings(names)]);
}

function write(root: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

function run(command: string, args: readonly string[], cwd?: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

function git(root: string, ...args: string[]): string {
  const settings = [
    '-c',
    'user.name=Priya',
    '-c',
    'user.email=priya@example.com',
    '-c',
    'commit.gpgsign=false',
    '-c',
    'core.hooksPath=/dev/null',
  ];
  const { status, output } = run('git', ['-C', root, ...settings, ...args]);
  assert.equal(status, 0, output);
  return output;
}

const commit = (root: string, subject: string): void => {
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '--message', subject);
};

const lint = (root: string, ...args: string[]) => run(process.execPath, ['scripts/language/lint.ts', '--root', root, ...args]);
const baselineOf = (root: string): Record<string, number> => JSON.parse(readFileSync(join(root, baselineFile), 'utf8'));

const clean = '/** Returns the task. */\nexport const task = 1;\n';

/** Creates a repository whose main branch has the check and one file with one banned term in a comment. */
async function repository(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'chancery-language-'));
  folders.push(root);
  git(root, 'init', '--quiet', '--initial-branch=main');
  write(root, { 'src/task.ts': clean });
  commit(root, 'What was there before the check');
  write(root, { 'src/old.ts': '// Nobody reads this.\n', [baselineFile]: '{ "comments: term": 1 }\n' });
  commit(root, 'Add the language check');
  return root;
}

test('each banned word in a comment counts', () => {
  assert.deepEqual(countsIn('src/a.ts', clean), {});
  assert.deepEqual(countsIn('src/a.ts', '// Whoever asks.\n\n/** Somebody, or nobody. */\nexport const a = 1;'), { 'comments: term': 3 });
  assert.deepEqual(countsIn('migrations/0001_a.sql', "-- For good.\nSELECT '-- for good', 1 -- anew\n"), { 'comments: term': 2 });
});

test('a sentence of a comment that continues on the next line is one sentence, with its line numbers', () => {
  const words = Array.from({ length: 13 }, () => 'word').join(' ');
  const source = [
    '// It starts.',
    `// The ${words}`,
    `// ${words}.`,
    `export const a = 1; // One ${words}`,
    `export const b = 1; // ${words}`,
    `// ${words}`,
    `export const c = 1; // ${words}`,
  ];
  const { findings } = scanFile('src/a.ts', source.join('\n'));
  assert.deepEqual(
    findings.map(({ rule, line, lastLine }) => [rule, line, lastLine]),
    [['sentence over 25 words', 2, 3]],
  );
});

test('texts for people count; SQL, translations and test data do not', () => {
  const text = "export const help = 'Ask ' + 'somebody in your team.';\n";
  assert.deepEqual(countsIn('src/identity/teams/problems.ts', text), { 'strings: term': 1 });
  const request = "export const help = 'Ask somebody to send `DELETE /teams/{id}`.';\n";
  assert.deepEqual(countsIn('src/identity/teams/description.ts', request), { 'strings: term': 1 });
  for (const file of ['src/identity/teams/queries.ts', 'src/identity/teams/mails-de.ts', 'src/identity/teams/teams.test.ts'])
    assert.deepEqual(countsIn(file, text), {});
  assert.deepEqual(countsIn('src/identity/teams/list.ts', 'export const a = `SELECT somebody FROM nobody WHERE whoever`;'), {});
  assert.deepEqual(countsIn('src/identity/teams/teams.test.ts', "test('whoever asks gets nothing', () => {});"), { 'strings: term': 1 });
});

test('code, URLs and names in code fences are not prose', () => {
  const page = [
    '# Titles',
    'Read `whoever` and [the page](https://example.com/whoever), or https://example.com/nobody/somebody.',
    '```ts\nconst whoever = somebody; // nobody\n```',
    '~~~\nwhoever\n~~~',
    '<!-- whoever -->',
    '[ref]: https://example.com/whoever',
  ];
  assert.deepEqual(countsIn('docs/a.md', page.join('\n\n')), {});
  assert.deepEqual(countsIn('src/a.ts', '/** See `whoever` and https://example.com/whoever. */\nexport const a = 1;'), {});
  assert.deepEqual(countsIn('docs/a.md', `${page.join('\n\n')}\n\n| a | b |\n|---|---|\n| 1 | whoever |\n`), { 'docs: term': 1 });
});

test('a list, a table or a heading does not extend a sentence', () => {
  const words = Array.from({ length: 20 }, () => 'word').join(' ');
  assert.deepEqual(countsIn('docs/a.md', `## ${words}\n${words}\n\n- ${words}\n- ${words}\n\n| ${words} | ${words} |\n|---|---|\n`), {});
  assert.deepEqual(countsIn('docs/a.md', `- ${words}\n  ${words}\n`), { 'docs: sentence over 25 words': 1 });
});

test('a question may begin with “what”, a clause may not', () => {
  assert.deepEqual(countsIn('docs/a.md', 'What is an envelope?'), {});
  assert.deepEqual(countsIn('docs/a.md', 'It returns what is there.'), { 'docs: relative clauses': 1 });
});

test('a declared name with a decided replacement counts, but its uses do not', () => {
  assert.deepEqual(countsIn('src/a.ts', 'export const heirId = 1, mostTasks = 2, together = 3;'), {
    'identifiers: name': 1,
    'identifiers: prefix or suffix': 1,
    'identifiers: word': 1,
  });
  assert.deepEqual(countsIn('src/a.ts', 'export const successor = ({ heir }) => read(heir.heirId, { heir });'), {});
  assert.deepEqual(countsIn('src/a.ts', 'interface A { heir: string }\nexport const a: A = { heir: b };'), { 'identifiers: word': 1 });
  assert.deepEqual(countsIn('src/a.ts', 'export const a = { heir: b };'), { 'identifiers: word': 1 });
  assert.deepEqual(countsIn('migrations/0001_a.sql', "CREATE TABLE a (heir_id uuid CHECK (heir_id <> 'seer'));"), {
    'identifiers: word in SQL': 1,
  });
});

test('a name that the published contract fixes does not count', () => {
  const banning = { ...nameRules, words: { record: 'row', registry: 'table', held: 'leased' } };
  const { names } = scanFile('src/a.ts', 'export const bindingRecordId = 1, registry = 2, heldRecord = 3;');
  assert.deepEqual(
    nameFindings(names, banning).map(({ message }) => message),
    ['heldRecord: for “held” write leased'],
  );
});

test('a name of the released API does not count', () => {
  const banning = { ...nameRules, words: { scope: 'area' } };
  const { names } = scanFile('src/a.ts', 'export const scope_not_held = 1, scopeHeld = 2;');
  assert.deepEqual(
    nameFindings(names, banning).map(({ message }) => message),
    ['scopeHeld: for “scope” write area'],
  );
});

test('a type name counts in each file after the third', () => {
  const inFiles = (count: number, type: string) =>
    Array.from({ length: count }, (_, at) => scanFile(`src/${at}.ts`, `export type ${type} = string;`).names).flat();
  assert.equal(repeatedTypes(inFiles(3, 'Outcome')).length, 0);
  assert.equal(repeatedTypes(inFiles(5, 'Outcome')).length, 2);
  assert.equal(repeatedTypes(inFiles(5, 'FastifyInstance')).length, 0);
});

test('a file counts by its name, not by its folder', () => {
  const found = fileFindings(['src/identity/connected-apps/index.ts', 'src/records/folders/tidings.ts', 'src/a/heir-list.ts']);
  assert.deepEqual(
    found.map(({ file }) => file),
    ['src/records/folders/tidings.ts', 'src/a/heir-list.ts'],
  );
});

test('a commit subject begins with a verb and has at most 72 characters', () => {
  const rules = (subject: string) => subjectFindings({ hash: 'abc', subject }).map(({ rule }) => rule);
  const subjectOf = (length: number) => `Check the limit ${'x'.repeat(length)}`.slice(0, length);
  assert.deepEqual(rules(subjectOf(72)), []);
  assert.deepEqual(rules(subjectOf(73)), ['subject over 72 characters']);
  for (const subject of ['The limit is checked', 'Checks the limit', 'Checked the limit', 'check the limit', 'Docs: the limit'])
    assert.deepEqual(rules(subject), ['subject not imperative'], subject);
  assert.deepEqual(rules('Ask nobody for good'), ['term', 'term']);
  assert.deepEqual(rules('Rename heir to successor'), []);
});

test('the check passes at the baseline, fails above it and reports only the changed line', async () => {
  const root = await repository();
  const { status, output } = lint(root);
  assert.equal(status, 0, output);
  assert.match(output, /^0 commit subjects checked\.$/m);

  git(root, 'checkout', '--quiet', '-b', 'change');
  write(root, { 'src/old.ts': '// Nobody reads this.\n\n// Somebody has it.\n' });
  const above = lint(root);
  assert.equal(above.status, 1);
  assert.match(above.output, /comments: term: 2 found, 1 allowed\. 1 on changed lines:\nsrc\/old\.ts:3 /);
  assert.doesNotMatch(above.output, /old\.ts:1/);

  commit(root, 'Add a comment');
  assert.match(lint(root).output, /1 on changed lines:\nsrc\/old\.ts:3 /);
});

test('a change that removes a term and adds correct text passes', async () => {
  const root = await repository();
  write(root, { 'src/old.ts': '// No user reads this.\n', 'src/new.ts': clean });
  git(root, 'add', '--all');
  const { status, output } = lint(root);
  assert.equal(status, 0, output);
  assert.match(output, /Below the baseline: comments: term/);
});

test('--write lowers the baseline, and raises it only with --raise', async () => {
  const root = await repository();
  write(root, { 'src/old.ts': '', 'src/heir.ts': clean });
  git(root, 'add', '--all');
  assert.equal(lint(root, '--write').status, 1);
  assert.deepEqual(baselineOf(root), {});
  assert.equal(lint(root, '--write', '--raise').status, 0);
  assert.deepEqual(baselineOf(root), { 'files: name': 1 });
  assert.equal(lint(root, '--raise').status, 2);
});

test('commit subjects are checked after the commit that introduced the check', async () => {
  const root = await repository();
  commit(root, 'Accept a new limit');
  assert.equal(lint(root).status, 0);
  commit(root, 'The limit is new');
  const { status, output } = lint(root);
  assert.equal(status, 1);
  assert.match(output, /2 commit subjects checked/);
  assert.match(output, /commits: subject not imperative: 1 found, 0 allowed/);
  assert.equal(lint(root, '--write', '--raise').status, 0);
  commit(root, 'Raise the baseline');

  const shallow = `${root}-shallow`;
  folders.push(shallow);
  git(root, 'clone', '--quiet', '--depth=1', `file://${root}`, shallow);
  const inShallow = lint(shallow, '--write');
  assert.equal(inShallow.status, 0, inShallow.output);
  assert.deepEqual(baselineOf(shallow), baselineOf(root), 'a shallow clone has too few commits to lower their counts');
  assert.match(inShallow.output, /0 commit subjects checked \(a shallow clone/);

  rmSync(join(root, '.git'), { recursive: true });
  const without = lint(root);
  assert.equal(without.status, 0, without.output);
  assert.match(without.output, /The Git history is not here: commit subjects are not checked/);
  write(root, { 'src/task.ts': '// Somebody has it.\n' });
  assert.match(lint(root).output, /comments: term: 2 found, 1 allowed/);
});

test('--counts, --area and --advice print and always exit with 0', async () => {
  const root = await repository();
  write(root, { 'src/task.ts': `${clean}// Somebody has a thing.\n`, 'docs/a.md': 'Whoever.\n' });
  git(root, 'add', '--all');
  assert.equal(lint(root, '--counts').output, '     2  comments: term\n     1  docs: term\n');
  const area = lint(root, '--area', 'comments');
  assert.equal(area.status, 0);
  assert.equal(area.output.split('\n').length, 3);
  assert.match(lint(root, '--area', 'comments', '--advice').output, /src\/task\.ts:3 {2}\[advice\] “thing”/);
  assert.equal(lint(root, '--area', 'comment').status, 2);
});
