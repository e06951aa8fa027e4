import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import type { Asked } from './messages.ts';
import { verdictOn } from './verdict.ts';
import { endsBeforeProofs } from './ends.ts';

/** The process that looks at one file: its bytes by standard input behind a line that says what is asked, what it found by standard output. */
const said = await buffer(process.stdin);
const line = said.indexOf('\n');
const asked = JSON.parse(said.toString('utf8', 0, line)) as Asked;
const file = said.subarray(line + 1);
process.stdout.write(JSON.stringify(verdictOn(file, asked, await endsBeforeProofs(file))));
