import process from 'node:process';
import { parseArgs } from 'node:util';
import { verifyFile } from './verify-file.ts';

const usage = `Usage: node verify-export.js <export> --key <key> [--witness <verifier key>]

Verifies an export of the audit journal with Node.js 22 alone: no installation, no database, no network.
<key> is a verifier key (name+id+base64), a JSON Web Key or a key set, or the name of a file that contains one.
Exit codes: 0 if everything matches, 1 if something does not match, 2 for invalid arguments.
`;

/** The entry point of `lib/verify-export.js`. `npm run generate` bundles it into one file. */
async function run(): Promise<number> {
  const options = { key: { type: 'string' }, witness: { type: 'string', multiple: true, default: [] as string[] } } as const;
  let given: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    given = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${String(error)}\n\n${usage}`);
    return 2;
  }
  const [file, ...others] = given.positionals;
  const { key, witness: witnesses } = given.values;
  if (file === undefined || others.length > 0 || key === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  try {
    return await verifyFile({ file, key, witnesses }, (line) => void process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

process.exitCode = await run();
