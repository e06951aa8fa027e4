import { createWriteStream } from 'node:fs';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { auditTools, withJournal } from './tools/journal.ts';
import { type Operator, UsageError } from './operator.ts';

export const usage = `Usage:
  chancery audit verify [--key <key>]                  recompute the tree from the database rows
  chancery audit verify --file <export> --key <key>    verify an export without a database
                        [--witness <verifier key>]     require the cosignature of this witness; repeatable
  chancery audit export --team <id> [--after <number>] [--out <file>]
  chancery audit key                                   show the keys that verify checkpoints

<key> is a verifier key (name+id+base64), a JSON Web Key or a key set, or the name of a file that holds one.
`;

const sayTo =
  ({ stdout }: Operator) =>
  (text: string) =>
    void stdout.write(`${text}\n`);

/** Exits with 0 if the verification succeeds and 1 if it fails. Throws `UsageError` for wrong arguments. */
export async function run(args: string[], operator: Operator = process): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      key: { type: 'string' },
      witness: { type: 'string', multiple: true, default: [] },
      team: { type: 'string' },
      after: { type: 'string', default: '0' },
      out: { type: 'string' },
    },
  });
  const [what] = positionals;
  if (positionals.length !== 1) throw new UsageError('Specify an action: verify, export or key.');
  if (what === 'verify' && values.file !== undefined && values.key !== undefined)
    return auditTools.verifyFile({ file: values.file, key: values.key, witnesses: values.witness }, sayTo(operator));
  if (what === 'verify' && values.file === undefined) return verifyDatabase(operator, values.key);
  if (what === 'export' && values.team !== undefined && /^\d+$/.test(values.after))
    return exportTeam(operator, values.team, Number(values.after), values.out);
  if (what === 'key') return showKeys(operator);
  if (what === 'verify') throw new UsageError('Specify the key of the journal: --key <key>.');
  if (what === 'export') throw new UsageError(values.team === undefined ? 'Specify the team: --team <id>.' : '--after must be a number.');
  throw new UsageError('Specify an action: verify, export or key.');
}

function settings({ env }: Operator) {
  const config = readConfig(env);
  return { config, log: createLogger('error') };
}

async function verifyDatabase(operator: Operator, key: string | undefined): Promise<number> {
  const say = sayTo(operator);
  const trusted = key === undefined ? undefined : auditTools.readLogKeys(await auditTools.keyText(key));
  const { config, log } = settings(operator);
  return withJournal(config, log, async (journal) => {
    const verdict = await journal.verify(trusted);
    if (!verdict.ok) {
      say(`✗ ${verdict.error.kind}: ${verdict.error.message}`);
      return 1;
    }
    const { size, origin, rootHash, checkpoints, pending, addressesErased, noted } = verdict;
    say(`✓ ${size} entries make the tree that ${origin} signed, root ${rootHash}; ${checkpoints} signed checkpoints agree.`);
    if (noted === undefined) say('  No earlier verification left a note in the file storage. Later verifications compare with this one.');
    else say(`  The tree extends the one of ${noted} entries that the last verification noted in the file storage.`);
    if (pending > 0) say(`  ${pending} entries are not in the tree yet.`);
    if (addressesErased > 0) say(`  The addresses of ${addressesErased} entries were erased; their leaves are unchanged.`);
    if (trusted === undefined)
      say('  Verified with the keys in this database. For an independent check, pass --key with a key stored elsewhere.');
    return 0;
  });
}

async function exportTeam(operator: Operator, team: string, after: number, out: string | undefined): Promise<number> {
  const { config, log } = settings(operator);
  await withJournal(config, log, async (journal) => {
    const lines = Readable.from(await journal.export(team, after));
    if (out === undefined) await pipeline(lines, operator.stdout, { end: false });
    else await pipeline(lines, createWriteStream(out));
  });
  return 0;
}

async function showKeys(operator: Operator): Promise<number> {
  const { config, log } = settings(operator);
  await withJournal(config, log, async ({ verifierKeys }) => verifierKeys.forEach(sayTo(operator)));
  return 0;
}
