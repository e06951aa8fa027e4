/** Loads every module of the service and prints the statements that are made meanwhile, each with where, as lines of JSON. */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type MadeStatement, madeStatements } from '../../src/platform/database/statement.ts';
import type { Collected } from './collected.ts';

/** Commands, processes of their own and those of the demo do something when they are loaded; none of them has statements. */
const excluded =
  /\.test\.ts$|^src\/(?:main\.ts$|commands\/|demo\/|pages\/browser\/|platform\/typesetting\/(?:worker|watch)\.ts$|platform\/reading\/(?:make-snapshot|run-script|read-file|draw-file|redraw-file|compare-texts)\.ts$|signatures\/(?:verifying\/verify|sealing\/work-on)-file\.ts$)/;

const collected: Collected[] = [];
Error.stackTraceLimit = 30;

madeStatements.subscribe((message) => {
  const stack = new Error('here').stack?.split('\n') ?? [];
  const factoryFrame = stack.findLastIndex((line) => line.includes('/database/statement.ts:') || line.includes('builtAs'));
  const calls = stack.slice(factoryFrame + 1).flatMap((frame) => {
    const [, url = '', line = '', column = ''] = /\(?((?:file:)?\/[^()]*):(\d+):(\d+)\)?$/.exec(frame) ?? [];
    return url ? [{ file: url.startsWith('file:') ? fileURLToPath(url) : url, line: Number(line), column: Number(column) }] : [];
  });
  const { text, parameters, because } = message as MadeStatement;
  collected.push({ calls, text, parameters: parameters.map((name) => name ?? null), because: because as Record<string, string> });
});

for (const file of globSync('src/**/*.ts').toSorted()) {
  if (!excluded.test(file)) await import(resolve(file));
}
// Those of the tables that the domains declare are made when they are needed.
const [
  { sealingStatements },
  { tablesWithFiles },
  { eraseStatement },
  { teamHasLegalHold },
  { teamInUse },
  { ownedTables, sealedColumns },
] = await Promise.all([
  import('../../src/platform/database/reencrypt.ts'),
  import('../../src/platform/storage/reconcile-queries.ts'),
  import('../../src/identity/teams/purge-queries.ts'),
  import('../../src/identity/accounts/membership/team-transfer-queries.ts'),
  import('../../src/identity/teams/queries.ts'),
  import('../../src/domains.ts'),
]);
for (const column of sealedColumns) sealingStatements(column);
for (const { name, table } of ownedTables) if (table.purge === 'erased') eraseStatement(name, table.file);
teamInUse(ownedTables);
teamHasLegalHold(ownedTables);
tablesWithFiles(ownedTables);
await import('./built.ts');
process.stdout.write(JSON.stringify(collected), () => process.exit(0));
