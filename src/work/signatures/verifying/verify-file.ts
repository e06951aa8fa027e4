import type { VerifyRequest } from './messages.ts';
import { verdictOn } from './verdict.ts';
import { endsBeforeProofs } from './covered-ranges.ts';

/** Looks at one file in a process of its own: its bytes come behind a line that says what is asked, and it answers what it found. */
export async function work(_argument: string, said: Buffer): Promise<string> {
  const line = said.indexOf('\n');
  const request = JSON.parse(said.toString('utf8', 0, line)) as VerifyRequest;
  const file = said.subarray(line + 1);
  return JSON.stringify(verdictOn(file, request, await endsBeforeProofs(file)));
}
