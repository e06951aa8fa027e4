/** `npm run check`: runs all static checks and then lists the failed ones. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const bin = (name: string) => `node_modules/.bin/${name}`;
const checks: [string, string, string[]][] = [
  ['types', bin('tsc'), ['--noEmit']],
  ['types of the console', bin('tsc'), ['--project', 'console']],
  ['types of scripts in pages', bin('tsc'), ['--project', 'src/intake/public-pages/browser']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['dead code', bin('knip'), []],
  ['language', process.execPath, ['scripts/language/lint.ts']],
  ['API description', process.execPath, ['scripts/lint-description.ts']],
  ['generated files', process.execPath, ['scripts/generate.ts', '--check']],
];

const failed = checks.filter(([name, command, args]) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name}\n`);
  return status !== 0;
});
if (failed.length > 0) process.stderr.write(`failed: ${failed.map(([name]) => name).join(', ')}\n`);
process.exit(failed.length === 0 ? 0 : 1);
