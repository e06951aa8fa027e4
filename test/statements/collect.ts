/** Loads all modules of the service and prints the statements that they create, with their positions, as JSON. */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type MadeStatement, madeStatements } from '../../src/platform/database/statement.ts';
import type { Collected } from './collected.ts';

/** Modules without statements that run code when loaded: commands, separate processes and the demo. */
const excluded =
  /\.test\.ts$|^src\/(?:main\.ts$|commands\/|demo\/|pages\/browser\/|platform\/typesetting\/(?:worker|watch)\.ts$|platform\/reading\/(?:read-file|draw-file|redraw-file|compare-texts)\.ts$|signatures\/(?:verifying\/verify|sealing\/work-on)-file\.ts$)/;

const collected: Collected[] = [];
Error.stackTraceLimit = 30;

madeStatements.subscribe((message) => {
  const stack = new Error('here').stack?.split('\n') ?? [];
  const factoryFrame = stack.findLastIndex((line) => /\/database\/(?:statement|json-page|merged-page)\.ts:|builtAs/.test(line));
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
// The statements for tables that domains declare are created on demand.
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
  import('../../src/identity/accounts/membership/membership-queries.ts'),
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
