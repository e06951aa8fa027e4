import { existsSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { verifyExportFile } from './index.ts';

const usage = `Usage: chancery-verify <export> --key <key> [--witness <verifier key>]
       chancery-verify <folder of an evidence pack> [--key <verifier key>]

Verifies an export of the audit journal, or an evidence pack, with Node.js alone: no database, no network.
<key> is a verifier key (name+id+base64), a JSON Web Key or a key set, or the name of a file that contains one.
Exit codes: 0 if everything matches, 1 if something does not match, 2 for invalid arguments.
`;

async function run(): Promise<number> {
  const options = {
    help: { type: 'boolean' },
    key: { type: 'string' },
    witness: { type: 'string', multiple: true, default: [] as string[] },
  } as const;
  let given: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    given = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (given.values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  const [file, ...others] = given.positionals;
  const { key, witness: witnesses } = given.values;
  if (file !== undefined && others.length === 0 && existsSync(`${file}/manifest.json`)) return verifyPack(file);
  if (file === undefined || others.length > 0 || key === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  try {
    return (await verifyExportFile({ file, key, witnesses }, (line) => void process.stdout.write(`${line}\n`))) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** Runs the verifier that each pack contains, from this package: a forged pack may contain a forged verifier. Ends the process if the pack is wrong. */
async function verifyPack(folder: string): Promise<number> {
  process.chdir(folder);
  await import(new URL('pack.mjs', import.meta.url).href);
  return 0;
}

process.exitCode = await run();
